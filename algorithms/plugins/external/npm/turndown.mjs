// package: turndown
// needs: jsdom@26.1.0
// answers: text
import {JSDOM} from "jsdom";
import TurndownService from "turndown";

const service = new TurndownService().remove(["script", "style", "title"]);
export default (html) => service.turndown(new JSDOM(html).window.document.body);
