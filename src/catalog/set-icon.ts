// Facts that an Iconify set states about itself and its icons. They are stored with the catalog's entries and served
// unchanged.

/**
 * Box and orientation as the Iconify set states them. Missing values have the defaults of the set, or of the format.
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

/** An icon, or an alias with its own drawing, as its Iconify set describes it. */
export interface SetIcon {
  readonly prefix: string;
  readonly name: string;
  /** Position in the list that contains all icons of the set, then all aliases. */
  readonly at: number;
  /**
   * Null for an icon. For an alias: name of its parent. The alias has its own drawing, because it rotates, flips or
   * resizes the parent.
   */
  readonly parent: string | null;
  readonly props: IconProps;
  /** Content hash of the icon's body, under which the body is stored. Null for an alias. */
  readonly body: string | null;
  /**
   * True if the SVG text of the icon is equal to the content of its catalog drawing. The text is then not stored again,
   * and the field `body` is the hash of the drawing.
   */
  readonly isDrawing?: true;
  readonly aliases: readonly SetAlias[];
  /** Titles of the set's categories that contain the icon. */
  readonly categories: readonly string[];
  /**
   * Code points of the icon in an icon font, in hexadecimal digits, each with the name of the icon or alias. Empty if
   * the set is not an icon font.
   */
  readonly chars: readonly (readonly [char: string, name: string])[];
}

export interface IconSetFacts {
  /**
   * Prefix of the set in the Iconify protocol. Missing if the source is an icon set, because the source itself then has
   * the prefix (`SourceFacts.prefix`). Present if the icons of the source are merged into brands.
   */
  readonly prefix?: string;
  /** The set's description, unchanged. Null if the set has none. Lists and searches omit sets without a description. */
  readonly info: Readonly<Record<string, unknown>> | null;
  /** Time of the set's last change, seconds since the epoch. */
  readonly lastModified: number | null;
  /** Box of icons that state no box of their own. */
  readonly box: IconProps;
  /** Themes of the set: prefix or suffix of icon names → title of the theme. */
  readonly prefixes: Readonly<Record<string, string>> | null;
  readonly suffixes: Readonly<Record<string, string>> | null;
  /** Icons that the set has hidden. They are kept, because web pages may still use them. Missing if there are none. */
  readonly hidden?: readonly SetIcon[];
}
