/** The version of the text in src/i18n/gallery.json, as `consentVersion` has it of the others. A changed text has a new one. */
export const galleryVersion = "gallery-2026-11-1";
