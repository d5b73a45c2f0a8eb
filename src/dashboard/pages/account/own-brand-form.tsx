// The form of an own brand: how its drawing looks on three grounds, and what is known of it.
import { useMemo } from 'react';
import { Button } from '../../components/button.js';
import { TextField, type FieldState } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { saveBrand, slugOf, type BrandTexts } from '../../data/own-brands.js';
import { useObjectUrl } from '../../hooks/use-object-url.js';

const GROUNDS = ['light', 'dark', 'checkered'] as const;
/** px */
const SIZES = [16, 32, 64, 128, 256];

interface Props {
  readonly texts: BrandTexts;
  /** Undefined: the drawing stays as it is. */
  readonly svg: string | undefined;
  readonly colors: readonly string[];
  readonly isNew: boolean;
  readonly onSaved: (title: string) => unknown;
  readonly onCancel: () => void;
}

export function OwnBrandForm({ texts: initial, svg, colors, isNew, onSaved, onCancel }: Props) {
  const form = useForm(
    initial,
    (texts) => saveBrand(texts, svg, isNew),
    (_, { title }) => onSaved(title),
  );
  return (
    <>
      {svg !== undefined && <DrawingOnGrounds svg={svg} />}
      <Form
        form={form}
        action={isNew ? 'Add brand' : 'Save'}
        otherAction={<Button onClick={onCancel}>{isNew ? 'Leave it out' : 'Not now'}</Button>}
      >
        <TextField label="Name" required maxLength={200} {...form.field('title')} />
        {isNew && (
          <TextField
            label="Slug"
            required
            maxLength={100}
            spellCheck={false}
            hint={
              <>
                Its name in addresses: <code>/v1/svg/{slugOf(form.texts.slug) || '…'}</code>. One of the public catalog
                is replaced for your keys.
              </>
            }
            {...form.field('slug')}
          />
        )}
        <ColorField colors={colors} {...form.field('hex')} />
        <TextField
          label="Domains"
          rows={2}
          placeholder={'intranet.corp\nnas.local'}
          spellCheck={false}
          hint="One a line: any host of yours, also an IP address or a name of one word."
          {...form.field('domains')}
        />
        <TextField
          label="Other names"
          rows={2}
          hint="One a line, as people type them in search."
          {...form.field('aliases')}
        />
        <TextField
          label="Guidelines"
          type="url"
          placeholder="https://example.com/brand"
          hint="Address of the rules for its use."
          {...form.field('guidelines')}
        />
      </Form>
    </>
  );
}

/** With the colors of the drawing to choose from. */
function ColorField({ colors, ...field }: FieldState & { readonly colors: readonly string[] }) {
  return (
    <TextField
      label="Color"
      placeholder="#1D9BF0"
      maxLength={7}
      spellCheck={false}
      hint={
        colors.length === 0 ? (
          'Six hex digits. Empty: the first of the drawing.'
        ) : (
          <span className="pick-colors">
            In the drawing:
            {colors.map((color) => (
              <button
                key={color}
                type="button"
                className="swatch"
                aria-label={`Use ${color}`}
                aria-pressed={color === field.value.toUpperCase()}
                style={{ background: color }}
                onClick={() => field.onValue(color)}
              />
            ))}
          </span>
        )
      }
      {...field}
    />
  );
}

/** As an `<img>`, so that nothing in the drawing runs. */
export function DrawingOnGrounds({ svg }: { readonly svg: string }) {
  const blob = useMemo(() => new Blob([svg], { type: 'image/svg+xml' }), [svg]);
  const url = useObjectUrl(blob);
  return (
    <div className="grounds">
      {GROUNDS.map((ground) => (
        <figure
          key={ground}
          className={`ground background-${ground}`}
          tabIndex={0}
          aria-label={`On a ${ground} ground`}
        >
          {url !== undefined && SIZES.map((size) => <img key={size} src={url} width={size} height={size} alt="" />)}
        </figure>
      ))}
    </div>
  );
}
