/**
 * What a file input takes. Naming JPEG and not HEIC makes phones convert their own photos; with PDF among the types no phone would open
 * its camera, so an input with `capture` takes pictures only.
 */
export const pictures = "image/jpeg,image/png,image/webp";
export const picturesAndFiles = `${pictures},application/pdf`;
