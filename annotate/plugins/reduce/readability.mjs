// package: @mozilla/readability
// needs: jsdom@26.1.0
// answers: text
// As the project's test/generate-testcase.js asks it, all of its answer as JSON.
import {isProbablyReaderable, Readability} from "@mozilla/readability";
import {JSDOM} from "jsdom";

export default (html) => {
  const page = () => new JSDOM(html, {url: "http://fakehost/test/page.html"}).window.document;
  const answer = new Readability(page(), {classesToPreserve: ["caption"]}).parse();
  const {textContent, length, ...kept} = answer ?? {};
  return JSON.stringify({...kept, readerable: isProbablyReaderable(page())});
};
