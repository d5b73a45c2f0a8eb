// Security headers of pictures.

/** An SVG that is opened as a document may run no script and load nothing. */
export const SVG_POLICY = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};
/** Of pictures for pages of any origin. */
export const PICTURE_POLICY = { 'Cross-Origin-Resource-Policy': 'cross-origin' };
