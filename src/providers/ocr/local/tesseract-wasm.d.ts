/** The part of tesseract-wasm that is used here; the package has types, but does not export them. */
declare module "tesseract-wasm" {
  interface TextItem {
    text: string;
    /** 0 to 1. */
    confidence: number;
    rect: { left: number; top: number; right: number; bottom: number };
  }

  interface OCREngine {
    loadModel(model: Uint8Array): void;
    /** RGBA. */
    loadImage(image: { data: Uint8ClampedArray; width: number; height: number }): void;
    clearImage(): void;
    getTextBoxes(unit: "line" | "word"): TextItem[];
  }

  function supportsFastBuild(): boolean;
  function createOCREngine(options: { wasmBinary: Uint8Array }): Promise<OCREngine>;
}
