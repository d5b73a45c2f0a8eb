// Table of the reasons for which the sanitizer rejects a drawing. The API, the documentation, the dashboard and the
// summary of an import use this table.

export interface DrawingRejection {
  /** Problem of the drawing, as the end of a sentence that starts with "The drawing". */
  readonly what: string;
  /** Elements that cause this rejection; may be empty. */
  readonly elements: readonly string[];
  /** Attributes and CSS properties that cause this rejection. */
  readonly attributes: readonly string[];
  readonly advice: string;
}

export const DRAWING_REJECTIONS = {
  text: {
    what: 'contains text, which looks different if its font is not installed',
    elements: ['text', 'textPath', 'tref'],
    attributes: [],
    advice:
      'Convert text to outlines (Illustrator: Type > Create Outlines; Figma: Outline stroke/Flatten; Inkscape: Path > Object to Path).',
  },
  embedded_image: {
    what: 'contains a bitmap or another embedded image',
    elements: ['image', 'feImage'],
    attributes: [],
    advice: 'Redraw the logo as vectors instead of embedding a bitmap.',
  },
  foreign_object: {
    what: 'paints with HTML, which Figma exports for angular and diamond gradients',
    elements: ['foreignObject'],
    attributes: [],
    advice: 'Replace angular and diamond gradients with linear or radial ones, and export the SVG again.',
  },
  animation: {
    what: 'contains SMIL animations',
    elements: ['animate', 'animateTransform', 'animateMotion', 'animateColor', 'set'],
    attributes: [],
    advice: 'Export a static picture without animation.',
  },
  external_reference: {
    what: 'refers to another file or URL',
    elements: ['use'],
    attributes: ['href', 'xlink:href', 'fill', 'stroke', 'clip-path', 'mask', 'filter', 'marker'],
    advice: 'Embed the referenced content in the file.',
  },
  unsupported_element: {
    what: 'contains an element that browsers support but this service does not',
    elements: ['video', 'audio', 'canvas', 'iframe', 'mesh', 'meshgradient', 'hatch'],
    attributes: [],
    advice: 'Replace the element with paths that have plain or gradient fills.',
  },
  unsupported_style: {
    what: 'has a style that cannot be converted to every format',
    elements: ['style'],
    attributes: ['vector-effect', 'clip-path', 'mask', 'filter', 'backdrop-filter', 'offset-path', 'd', 'zoom'],
    advice: 'Flatten or expand the appearance (Illustrator: Object > Expand Appearance), or remove the named property.',
  },
  unsupported_filter: {
    what: 'has a filter effect that cannot be converted to every format',
    elements: [
      'feConvolveMatrix',
      'feDisplacementMap',
      'feTurbulence',
      'feDiffuseLighting',
      'feSpecularLighting',
      'feTile',
      'feSpotLight',
      'feMorphology',
      'filter',
    ],
    attributes: [],
    advice: 'Remove the effect, or replace it with gradients, blurs and shadows.',
  },
  sprite: {
    what: 'is a sprite sheet',
    elements: ['symbol'],
    attributes: [],
    advice: 'Export each symbol as a separate SVG.',
  },
  drawing_changed: {
    what: 'would look different after sanitizing',
    elements: [],
    attributes: [],
    advice: 'Convert the named part to paths with plain or gradient fills, and export the SVG again.',
  },
  entities: {
    what: 'has a DOCTYPE that declares attributes, or entities that contain more than plain text',
    elements: [],
    attributes: [],
    advice: 'Remove the DOCTYPE, or export the file as plain SVG.',
  },
  malformed: {
    what: 'is not well-formed XML',
    elements: [],
    attributes: [],
    advice: 'Correct the named line, or export the file again.',
  },
  bad_encoding: {
    what: 'has an encoding that cannot be read',
    elements: [],
    attributes: [],
    advice:
      'Save the file as UTF-8, or declare its encoding, for example <?xml version="1.0" encoding="windows-1252"?>.',
  },
  not_svg: {
    what: 'is not an SVG document',
    elements: [],
    attributes: ['xmlns'],
    advice: 'Upload a file whose root element is <svg xmlns="http://www.w3.org/2000/svg">.',
  },
  no_viewbox: {
    what: 'has no size',
    elements: ['svg'],
    attributes: ['viewBox', 'width', 'height'],
    advice: 'Add a viewBox to the root element, for example viewBox="0 0 24 24".',
  },
  bad_viewbox: {
    what: 'has a size that cannot be drawn',
    elements: ['svg'],
    attributes: ['viewBox', 'width', 'height'],
    advice: 'Set the viewBox of the root element to four numbers with an aspect ratio of at most 1:60.',
  },
  too_large: {
    what: 'is too large',
    elements: [],
    attributes: [],
    advice: 'Simplify the drawing, or run it through an SVG optimizer.',
  },
  too_many_elements: {
    what: 'has too many elements',
    elements: [],
    attributes: [],
    advice: 'Simplify the drawing, and merge its paths.',
  },
  too_deep: {
    what: 'nests elements too deep',
    elements: [],
    attributes: [],
    advice: 'Ungroup the drawing.',
  },
  path_too_long: {
    what: 'has too much path data',
    elements: ['path', 'polygon', 'polyline'],
    attributes: ['d', 'points'],
    advice: 'Simplify the paths (Illustrator: Object > Path > Simplify; Inkscape: Path > Simplify).',
  },
  too_costly: {
    what: 'takes too long to draw',
    elements: [],
    attributes: ['opacity', 'clip-path', 'mask', 'mix-blend-mode'],
    advice: 'Use fewer transparent groups, masks and clips, and fewer copies.',
  },
  filter_too_costly: {
    what: 'has filters that take too long to draw',
    elements: ['filter'],
    attributes: ['stdDeviation', 'radius', 'dx', 'dy', 'x', 'y', 'width', 'height'],
    advice: 'Use fewer and smaller blurs, shadows and other effects.',
  },
  style_too_complex: {
    what: 'has a style sheet that takes too long to apply',
    elements: ['style'],
    attributes: [],
    advice: 'Export the drawing with presentation attributes instead of a style sheet.',
  },
  empty: {
    what: 'shows nothing',
    elements: [],
    attributes: [],
    advice: 'Check that the artwork is visible and inside the viewBox.',
  },
  undrawable: {
    what: 'cannot be drawn',
    elements: [],
    attributes: [],
    advice: 'Export the drawing again as plain SVG.',
  },
  crashed: {
    what: 'takes too long to draw, or crashes the process that draws it',
    elements: [],
    attributes: [],
    advice: 'Remove content far outside the viewBox, and simplify the drawing.',
  },
} as const satisfies Readonly<Record<string, DrawingRejection>>;

export type DrawingRejectionCode = keyof typeof DRAWING_REJECTIONS;

/** Rejection of a drawing: the reason, and the place in the file. */
export interface RejectedDrawing {
  readonly ok: false;
  readonly reason: DrawingRejectionCode;
  readonly message: string;
  /** Name of the rejected element; absent if the whole file is rejected. */
  readonly element?: string;
  /** Line of the rejected element in the file, starting at 1. */
  readonly line?: number;
}
