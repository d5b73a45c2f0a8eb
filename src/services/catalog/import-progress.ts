// Progress of an import.

export interface ImportProgress {
  readonly phase: 'read' | 'merge';
  readonly source: string;
  readonly done: number;
  readonly total: number;
}
