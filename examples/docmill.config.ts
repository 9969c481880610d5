/** Gives the server its pipelines: npm start -- --config examples/docmill.config.ts */
import { docmill } from "docmill";
import { wordCount } from "./word-count.ts";

export default docmill({ pipelines: [wordCount] });
