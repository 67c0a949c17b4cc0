// package: defuddle
// needs: linkedom@0.18.12 turndown@7.2.0 temml@0.13.3
// answers: html
import {Defuddle} from "defuddle/node";
import {parseHTML} from "linkedom";

export default async (html) => {
  const {document} = parseHTML(html);
  return (await Defuddle(document, "https://page.invalid/", {useAsync: false})).content;
};
