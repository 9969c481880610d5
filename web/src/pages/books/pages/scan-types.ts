/** What the server takes as a scan. */
export const scanTypes = ["image/png", "image/jpeg", "image/tiff", "image/webp"];
