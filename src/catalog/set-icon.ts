// Facts of an Iconify set about itself and its icons. They are kept beside the catalog's entries and served unchanged.

/** Box and orientation as the set writes them. For missing values, the defaults of the set or of the format apply. */
export interface IconProps {
  readonly left?: number;
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
  /** Clockwise rotation, in units of 90°. */
  readonly rotate?: number;
  readonly hFlip?: boolean;
  readonly vFlip?: boolean;
  readonly hidden?: boolean;
}

export interface SetAlias {
  readonly name: string;
  /** Position among the set's icons and, after them, its aliases. */
  readonly at: number;
  /** Name of an icon or of another alias. */
  readonly parent: string;
  readonly props: IconProps;
}

/** An icon as its Iconify set describes it, with its other names in the set. */
export interface SetIcon {
  readonly prefix: string;
  readonly name: string;
  /** Position among the set's icons and, after them, its aliases. */
  readonly at: number;
  /** Parent of an alias that has its own drawing because it is rotated, flipped or resized. Null for an icon. */
  readonly parent: string | null;
  readonly props: IconProps;
  /** Content hash of the body. The body is stored under this hash, like a drawing. Null for an alias. */
  readonly body: string | null;
  /**
   * True if `body` is the hash of a drawing in the catalog. The icon's body is then the content of the drawing's root
   * element.
   */
  readonly isDrawing?: true;
  /** Other names of this drawing. */
  readonly aliases: readonly SetAlias[];
  /** Titles of the set's categories that contain the icon. */
  readonly categories: readonly string[];
  /** Code points in hexadecimal digits, if the set is an icon font, each with its icon name. */
  readonly chars: readonly (readonly [char: string, name: string])[];
}

/** Facts of an Iconify set as a whole. */
export interface IconSetFacts {
  /** Prefix under which the icons of a source of brands are served through Iconify's protocol. Missing for sets. */
  readonly prefix?: string;
  /** The set's description, unchanged. Null if the set has none; it is then neither listed nor searched. */
  readonly info: Readonly<Record<string, unknown>> | null;
  /** Time of the set's last change, seconds since the epoch. */
  readonly lastModified: number | null;
  /** Box of icons that don't state a box. */
  readonly box: IconProps;
  /** Themes of the set: prefix or suffix of icon names → title. */
  readonly prefixes: Readonly<Record<string, string>> | null;
  readonly suffixes: Readonly<Record<string, string>> | null;
  /** Icons that the set has withdrawn, but that pages may still use. Absent if there are none. */
  readonly hidden?: readonly SetIcon[];
}
