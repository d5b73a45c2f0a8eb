// Entry of a process that draws one small picture. The process fails if the sandbox (the fence) prevents drawing.
import rasterize from './rasterize.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8z"/></svg>';

// Lossy WebP is the only format that loads all native libraries.
const drawn = await rasterize({ svg: SVG, width: 8, height: 8, format: 'webp', quality: 80 });
if (!drawn.ok) throw new Error(drawn.message);
