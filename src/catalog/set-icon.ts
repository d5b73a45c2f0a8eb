// Facts of an Iconify set about itself and its icons: kept beside the catalog's entries, and served as they were.

/** Box and orientation as the set writes them; what is left out, the set or the format says. */
export interface IconProps {
  readonly left?: number;
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
  /** Clockwise, in units of 90°. */
  readonly rotate?: number;
  readonly hFlip?: boolean;
  readonly vFlip?: boolean;
  readonly hidden?: boolean;
}

export interface SetAlias {
  readonly name: string;
  /** Position among the set's icons and, after them, its aliases. */
  readonly at: number;
  /** A name of an icon or of another alias. */
  readonly parent: string;
  readonly props: IconProps;
}

/** An icon as its Iconify set describes it, with its other names there. */
export interface SetIcon {
  readonly prefix: string;
  readonly name: string;
  /** As `SetAlias.at`. */
  readonly at: number;
  /** Parent of an alias that is drawn in another way; null for an icon. */
  readonly parent: string | null;
  readonly props: IconProps;
  /** Content hash of the body, by which it is stored like a drawing; null for an alias. */
  readonly body: string | null;
  /** `body` names a drawing of the catalog: the body is what is within its root element. */
  readonly isDrawing?: true;
  /** Other names of the same drawing. */
  readonly aliases: readonly SetAlias[];
  /** Titles of the set's categories that name it. */
  readonly categories: readonly string[];
  /** Code points of an icon font, by hexadecimal digits, and the name that each stands for. */
  readonly chars: readonly (readonly [char: string, name: string])[];
}

/** Facts of an Iconify set as a whole. */
export interface IconSetFacts {
  /** Prefix under which the icons of a source of brands are served beside their entries. */
  readonly prefix?: string;
  /** The set's description as it was written; null: it has none, so it is neither listed nor searched. */
  readonly info: Readonly<Record<string, unknown>> | null;
  /** Seconds since the epoch. */
  readonly lastModified: number | null;
  /** For icons that do not say otherwise. */
  readonly box: IconProps;
  /** Themes by the beginning, and by the end, of names. */
  readonly prefixes: Readonly<Record<string, string>> | null;
  readonly suffixes: Readonly<Record<string, string>> | null;
  /** Icons that the set has withdrawn, and that pages may still have. Absent: none. */
  readonly hidden?: readonly SetIcon[];
}
