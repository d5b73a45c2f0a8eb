// The dialog that puts a drawing of an own brand (its variant, its file, and how it looks), or removes one.
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../../components/button.js';
import { Dialog, DialogButton } from '../../components/dialog.js';
import { ErrorNote } from '../../components/note.js';
import { announce } from '../../components/toasts.js';
import { draftOf, putDrawing, refreshBrands, removeDrawing, type Draft, type OwnBrand } from '../../data/own-brands.js';
import { DrawingOnGrounds } from './own-brand-form.js';

/** Offered for each brand. */
const VARIANTS = ['default', 'mono', 'light', 'dark', 'wordmark'];

interface Props {
  readonly brand: OwnBrand;
  readonly onClose: () => void;
}

export function DrawingDialog({ brand, onClose }: Props) {
  const { slug, title, variants } = brand;
  const [variant, setVariant] = useState('default');
  const [file, setFile] = useState<Draft | { readonly text: string }>();
  const saving = useMutation({
    mutationFn: (svg: string) => putDrawing(slug, variant, svg),
    onSuccess: async () => {
      await refreshBrands();
      announce(`Drawing of ${title} replaced`);
      onClose();
    },
  });
  const names = variants.map(({ name }) => name).join(', ');
  const choose = async (chosen: File): Promise<void> =>
    setFile(await draftOf(chosen).catch((error: unknown) => ({ text: (error as Error).message })));
  return (
    <Dialog onClose={onClose} title={`Drawings of ${title}`} text={names === '' ? 'None yet.' : `There are ${names}.`}>
      <div className="form">
        <DrawingFields
          variant={variant}
          variants={[...new Set([...VARIANTS, ...putVariants(brand)])]}
          onVariant={setVariant}
          onFile={choose}
        />
        {file && 'text' in file && <p className="field-error">{file.text}</p>}
        {file && 'svg' in file && <DrawingOnGrounds svg={file.svg} />}
        <ErrorNote error={saving.error} />
        <div className="dialog-actions">
          {variant !== 'default' && putVariants(brand).includes(variant) && (
            <DialogButton
              kind="danger"
              dialog={(close) => <RemoveDialog brand={brand} variant={variant} onRemoved={onClose} onClose={close} />}
            >
              Remove {variant}
            </DialogButton>
          )}
          <Button onClick={onClose}>Not now</Button>
          <Button
            kind="primary"
            busy={saving.isPending}
            disabled={!file || !('svg' in file)}
            onClick={() => file && 'svg' in file && saving.mutate(file.svg)}
          >
            Put this drawing
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Variants that were put, and not derived from others. */
function putVariants({ variants }: OwnBrand): string[] {
  return variants.flatMap(({ name, derived }) => (derived ? [] : [name]));
}

interface RemoveProps extends Props {
  readonly variant: string;
  readonly onRemoved: () => void;
}

function RemoveDialog({ brand: { slug, title }, variant, onRemoved, onClose }: RemoveProps) {
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
      text="It cannot be taken back. Without a drawing of their own, mono, light and dark are derived from the default one."
    >
      <ErrorNote error={removal.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Not now</Button>
        <Button kind="danger solid" busy={removal.isPending} onClick={() => removal.mutate()}>
          Remove
        </Button>
      </div>
    </Dialog>
  );
}

interface FieldsProps {
  readonly variant: string;
  readonly variants: readonly string[];
  readonly onVariant: (variant: string) => void;
  readonly onFile: (file: File) => unknown;
}

function DrawingFields({ variant, variants, onVariant, onFile }: FieldsProps) {
  const id = useId();
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-variant`}>Variant</label>
        <select
          id={`${id}-variant`}
          className="input"
          value={variant}
          onChange={({ target }) => onVariant(target.value)}
        >
          {variants.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-file`}>SVG file</label>
        <input
          id={`${id}-file`}
          className="input"
          type="file"
          accept=".svg,image/svg+xml"
          onChange={({ target }) => target.files?.[0] && onFile(target.files[0])}
        />
      </div>
    </>
  );
}
