// How far an import is.

export interface ImportProgress {
  readonly phase: 'read' | 'merge';
  readonly source: string;
  readonly done: number;
  readonly total: number;
}
