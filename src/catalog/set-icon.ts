// Facts that an Iconify set states about itself and its icons. They are stored beside the catalog's entries and served
// unchanged.

/**
 * Box and orientation as the Iconify set states them. For missing values, the defaults of the set or of the format
 * apply.
 */
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
  /** Position in the list that contains all icons of the set, then all aliases. */
  readonly at: number;
  /** Name of the icon or alias to which this alias refers. */
  readonly parent: string;
  readonly props: IconProps;
}

/** An icon as its Iconify set describes it, with its other names in the set. */
export interface SetIcon {
  readonly prefix: string;
  readonly name: string;
  /** Position in the list that contains all icons of the set, then all aliases. */
  readonly at: number;
  /**
   * For an alias with its own drawing, because it is rotated, flipped or resized: name of the parent. Null for an icon.
   */
  readonly parent: string | null;
  readonly props: IconProps;
  /** Content hash of the icon's body, under which the body is stored. Null for an alias. */
  readonly body: string | null;
  /**
   * True if the icon's body is the content of the root element of a catalog drawing. `body` is then the hash of this
   * drawing.
   */
  readonly isDrawing?: true;
  readonly aliases: readonly SetAlias[];
  /** Titles of the set's categories that contain the icon. */
  readonly categories: readonly string[];
  /** If the set is an icon font: code points in hexadecimal digits, each with its icon name. */
  readonly chars: readonly (readonly [char: string, name: string])[];
}

export interface IconSetFacts {
  /**
   * For a source of brands: prefix under which the Iconify protocol serves its icons. Missing for icon sets, which have
   * their own prefix.
   */
  readonly prefix?: string;
  /** The set's description, unchanged. Null if the set has none; lists and searches then omit the set. */
  readonly info: Readonly<Record<string, unknown>> | null;
  /** Time of the set's last change, seconds since the epoch. */
  readonly lastModified: number | null;
  /** Box of icons that state no box of their own. */
  readonly box: IconProps;
  /** Themes of the set: prefix or suffix of icon names → title of the theme. */
  readonly prefixes: Readonly<Record<string, string>> | null;
  readonly suffixes: Readonly<Record<string, string>> | null;
  /** Icons that the set has hidden, but that web pages may still use. Missing if there are none. */
  readonly hidden?: readonly SetIcon[];
}
