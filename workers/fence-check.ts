// Process entry: sanitizes and draws one small drawing, and fails where a fence does not let workers do that.
import rasterize from './raster/renderer.js';
import { sanitizeSvg } from './sanitize/sanitize-svg.js';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';

const sanitized = sanitizeSvg(SVG, 'nothing');
if (!sanitized.ok) throw new Error(sanitized.message);
// Lossy WebP, because that alone loads all libraries.
const drawn = await rasterize({ svg: SVG, width: 8, height: 8, format: 'webp', quality: 80 });
if (!drawn.ok) throw new Error(drawn.message);
