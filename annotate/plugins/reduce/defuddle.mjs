// package: defuddle
// needs: linkedom@0.18.12 turndown@7.2.0 temml@0.13.3
// answers: text
// As the project's tests/fixtures.test.ts asks it; the request is JSON of a page and its address.
import {Defuddle} from "defuddle/node";
import {parseHTML} from "linkedom";

export default async (request) => {
  const {html, url} = JSON.parse(request);
  const options = {separateMarkdown: true, useAsync: false};
  const {title, author, site, published, contentMarkdown} =
    await Defuddle(parseHTML(html).document, url, options);
  return JSON.stringify({title, author, site, published, contentMarkdown});
};
