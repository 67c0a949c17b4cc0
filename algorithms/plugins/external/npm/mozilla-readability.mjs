// package: @mozilla/readability
// needs: jsdom@26.1.0
// answers: html
import {Readability} from "@mozilla/readability";
import {JSDOM} from "jsdom";

export default (html) => new Readability(new JSDOM(html).window.document).parse()?.content;
