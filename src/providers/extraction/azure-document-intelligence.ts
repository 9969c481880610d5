/** Azure Document Intelligence as the service that reads whole documents. */
import { type AzureAnalysisOptions, openAzureAnalysis } from "./azure/run-analysis.ts";
import type { ExtractionService } from "./extraction-service.ts";

export interface AzureDocumentIntelligenceOptions extends AzureAnalysisOptions {
  /** `prebuilt-layout` (the default), `prebuilt-document` of API versions up to 2023-07-31, or another with pages. */
  model?: string;
  pagesPerCall?: number;
}

export function openAzureDocumentIntelligence(options: AzureDocumentIntelligenceOptions): ExtractionService {
  const { model = "prebuilt-layout", pagesPerCall = 10 } = options;
  const analysis = openAzureAnalysis({ ...options, model });
  return {
    name: `azure ${model}`,
    pagesPerCall,
    analyse: (file, pages, call) => analysis.analyse({ file, pages }, call),
  };
}
