// package: @firecrawl/html-extractor
// answers: text
import {extract} from "@firecrawl/html-extractor";

export default async (html) => {
  const result = await extract(html, {outputText: true});
  return result.text ?? result.markdown;
};
