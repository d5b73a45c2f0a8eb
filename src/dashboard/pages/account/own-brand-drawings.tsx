// Dialogs that upload or remove a drawing of an own brand. An upload is shown beside the drawing that it replaces.
import { useMutation } from '@tanstack/react-query';
import { useId, useState, type DragEvent } from 'react';
import { Button } from '../../components/button.js';
import { Dialog, DialogButton } from '../../components/dialog.js';
import { ErrorNote } from '../../components/note.js';
import { Preview } from '../../components/preview.js';
import { announce } from '../../components/toasts.js';
import { DRAWINGS_PAGE, readDrawing, SVG_FILES, type DrawingFile } from '../../data/drawing-files.js';
import { putDrawing, refreshBrands, removeDrawing, type OwnBrand } from '../../data/own-brands.js';
import { CheckError, DrawingComparison, GroundColumn, useCheckedDrawing } from './drawing-check.js';

/** Variants offered for each brand. */
const VARIANTS = ['default', 'mono', 'light', 'dark', 'wordmark'];
/** Side of the shown drawings in px. */
const SHOWN_PX = 128;

interface Props {
  readonly brand: OwnBrand;
  readonly onClose: () => void;
}

export function DrawingDialog({ brand, onClose }: Props) {
  const { slug, title } = brand;
  const [variant, setVariant] = useState('default');
  const { file, fileError, take } = useChosenFile();
  const checked = useCheckedDrawing(file);
  const uploaded = uploadedVariants(brand);
  const isReplaced = uploaded.includes(variant);
  const saving = useMutation({
    mutationFn: (drawing: DrawingFile) => putDrawing(slug, variant, drawing.bytes),
    onSuccess: async () => {
      await refreshBrands();
      announce(`Drawing ${variant} of ${title} ${isReplaced ? 'replaced' : 'uploaded'}`);
      onClose();
    },
  });
  const current = <CurrentDrawing brand={brand} variant={variant} />;
  return (
    <Dialog onClose={onClose} title={`Drawings of ${title}`} text={effectOf(brand, variant)}>
      <div className="form" onDrop={(event) => drop(event, take)}>
        <VariantField variant={variant} variants={[...new Set([...VARIANTS, ...uploaded])]} onVariant={setVariant} />
        <FileField error={fileError} onFile={take} />
        <CheckError checked={checked} />
        {file ? (
          <DrawingComparison file={file} checked={checked}>
            {current}
          </DrawingComparison>
        ) : (
          <div className="comparison">{current}</div>
        )}
        <ErrorNote error={saving.error} />
        <div className="dialog-actions">
          {variant !== 'default' && isReplaced && (
            <DialogButton
              kind="danger"
              dialog={(close) => <RemoveDialog brand={brand} variant={variant} onRemoved={onClose} onClose={close} />}
            >
              Remove {variant}
            </DialogButton>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={saving.isPending}
            disabled={!file || !checked.data}
            onClick={() => file && saving.mutate(file)}
          >
            {isReplaced ? 'Replace drawing' : 'Upload drawing'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function useChosenFile() {
  const [file, setFile] = useState<DrawingFile>();
  const [fileError, setFileError] = useState<string>();
  async function take(chosen: File): Promise<void> {
    const read = await readDrawing(chosen).catch((error: unknown) => (error as Error).message);
    setFile(typeof read === 'string' ? undefined : read);
    setFileError(typeof read === 'string' ? `${chosen.name}: ${read}` : undefined);
  }
  return { file, fileError, take };
}

/** Accepts a file anywhere in the dialog. While the dialog is open, the page behind it accepts no files. */
function drop({ currentTarget, dataTransfer: { files } }: DragEvent, take: (file: File) => unknown): void {
  const input = currentTarget.querySelector<HTMLInputElement>('input[type=file]');
  if (!input || !files[0]) return;
  input.files = files;
  take(files[0]);
}

/** Returns the uploaded variants, without derived variants. */
function uploadedVariants({ variants }: OwnBrand): string[] {
  return variants.flatMap(({ name, derived }) => (derived ? [] : [name]));
}

/** Returns a sentence about what an upload of this variant replaces. */
function effectOf({ variants }: OwnBrand, variant: string): string {
  const known = variants.find(({ name }) => name === variant);
  if (!known) return `There is no “${variant}” drawing yet.`;
  if (known.derived) return `Your file replaces the “${variant}” drawing, which is derived from another drawing.`;
  const derived = variants.filter((one) => one.derived).map(({ name }) => name);
  const others =
    derived.length === 0 || variant !== 'default' ? '' : ` and the drawings derived from it (${derived.join(', ')})`;
  return `Your file replaces the “${variant}” drawing${others}.`;
}

/** Renders nothing if there is no drawing. */
function CurrentDrawing({
  brand: { slug, version, variants },
  variant,
}: {
  readonly brand: OwnBrand;
  readonly variant: string;
}) {
  if (!variants.some(({ name }) => name === variant)) return null;
  return (
    // A new version has a new picture, so React's `key` contains the version.
    <GroundColumn key={`${version} ${variant}`} title="Now">
      {(ground) => (
        <Preview
          slug={slug}
          query={{ variant }}
          size={SHOWN_PX}
          alt={`The current “${variant}” drawing, on a ${ground} background`}
        />
      )}
    </GroundColumn>
  );
}

interface RemoveProps extends Props {
  readonly variant: string;
  readonly onRemoved: () => void;
}

function RemoveDialog({ brand, variant, onRemoved, onClose }: RemoveProps) {
  const { slug, title } = brand;
  const removal = useMutation({
    mutationFn: () => removeDrawing(slug, variant),
    onSuccess: async () => {
      await refreshBrands();
      announce(`Drawing ${variant} of ${title} removed`);
      onRemoved();
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={`Remove ${variant} of ${title}`}
      text="This can't be undone. The variants “mono”, “light” and “dark” are derived from the default drawing, unless you upload them."
    >
      <div className="form">
        <div className="comparison">
          <CurrentDrawing brand={brand} variant={variant} />
        </div>
        <ErrorNote error={removal.error} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger solid" busy={removal.isPending} onClick={() => removal.mutate()}>
            Remove
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface VariantProps {
  readonly variant: string;
  readonly variants: readonly string[];
  readonly onVariant: (variant: string) => void;
}

function VariantField({ variant, variants, onVariant }: VariantProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Variant</label>
      <select id={id} className="input" value={variant} onChange={({ target }) => onVariant(target.value)}>
        {variants.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
  );
}

interface FileProps {
  readonly error: string | undefined;
  readonly onFile: (file: File) => unknown;
}

function FileField({ error, onFile }: FileProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>SVG file</label>
      <input
        id={id}
        className="input"
        type="file"
        accept={SVG_FILES}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${id}-hint${error === undefined ? '' : ` ${id}-error`}`}
        onChange={({ target }) => target.files?.[0] && onFile(target.files[0])}
      />
      <p className="hint" id={`${id}-hint`}>
        At most 1 MiB.{' '}
        <a href={DRAWINGS_PAGE} target="_blank" rel="noopener">
          Which drawings are accepted
        </a>
      </p>
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
