// The dialog that puts a drawing of an own brand: its variant, its file, and how it looks.
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { ErrorNote } from '../../components/note.js';
import { announce } from '../../components/toasts.js';
import { draftOf, putDrawing, refreshBrands, type Draft, type OwnBrand } from '../../data/own-brands.js';
import { DrawingOnGrounds } from './own-brand-form.js';

const VARIANTS = ['default', 'mono', 'light', 'dark', 'wordmark'];

interface Props {
  readonly brand: OwnBrand;
  readonly onClose: () => void;
}

export function DrawingDialog({ brand: { slug, title, variants }, onClose }: Props) {
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
        <DrawingFields variant={variant} onVariant={setVariant} onFile={choose} />
        {file && 'text' in file && <p className="field-error">{file.text}</p>}
        {file && 'svg' in file && <DrawingOnGrounds svg={file.svg} />}
        <ErrorNote error={saving.error} />
        <div className="dialog-actions">
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

interface FieldsProps {
  readonly variant: string;
  readonly onVariant: (variant: string) => void;
  readonly onFile: (file: File) => unknown;
}

function DrawingFields({ variant, onVariant, onFile }: FieldsProps) {
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
          {VARIANTS.map((name) => (
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
