// Overrides of the operator: decisions about single brands that no rule makes, each with its reason.
export interface CatalogOverrides {
  /** By slug: the drawing that is the default. */
  readonly defaults: Readonly<Record<string, { readonly drawing: string; readonly because: string }>>;
  /** Drawings, `package:key/variant`, that are not the brand's, or not any more: never shown. */
  readonly rejected: Readonly<Record<string, string>>;
  /** Icons, `package:key`, that share a name with another brand: the slug and title that they have instead. */
  readonly separate: Readonly<
    Record<string, { readonly slug: string; readonly title?: string | undefined; readonly because: string }>
  >;
  /** By slug: the brand's color, where the sources have another. */
  readonly colors: Readonly<Record<string, { readonly hex: string; readonly because: string }>>;
}
