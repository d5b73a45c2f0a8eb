// The form of an own brand: how its drawing looks on three grounds, and what is known of it.
import { useMemo, useState } from 'react';
import { isApiError } from '../../api/error.js';
import { Button } from '../../components/button.js';
import { TextField, type FieldState } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { Note } from '../../components/note.js';
import {
  addBrand,
  changeBrand,
  putDrawing,
  refreshBrands,
  slugOf,
  type BrandTexts,
  type OwnBrand,
} from '../../data/own-brands.js';
import { useObjectUrl } from '../../hooks/use-object-url.js';

const GROUNDS = ['light', 'dark', 'checkered'] as const;
/** px */
const SIZES = [16, 32, 64, 128, 256];

interface Props {
  readonly texts: BrandTexts;
  /** Undefined: the drawing stays as it is. */
  readonly svg: string | undefined;
  readonly colors: readonly string[];
  /** Undefined: it is new. */
  readonly brand?: OwnBrand;
  readonly onSaved: (title: string) => unknown;
  readonly onCancel: () => void;
}

export function OwnBrandForm({ texts: initial, svg, colors, brand, onSaved, onCancel }: Props) {
  const isNew = brand === undefined;
  const { isStored, store } = useStored(brand, initial, svg);
  const form = useForm(initial, store, (_, { title }) => onSaved(title));
  return (
    <>
      {svg !== undefined && <DrawingOnGrounds svg={svg} />}
      <Form
        form={form}
        action={isNew ? 'Add brand' : 'Save'}
        otherAction={<Button onClick={onCancel}>{isStored ? 'Not now' : 'Leave it out'}</Button>}
        note={isApiError(form.otherError, 'precondition_failed') ? <ChangedMeanwhile /> : undefined}
      >
        <TextField label="Name" required maxLength={200} {...form.field('title')} />
        {isNew && (
          <TextField
            label="Slug"
            required
            maxLength={100}
            readOnly={isStored}
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

/** Texts of a brand, then its drawing if there is one. When the drawing is sent again, equal texts are not. */
function useStored(brand: OwnBrand | undefined, initial: BrandTexts, svg: string | undefined) {
  // The brand is the one that the fields were filled from, not one that was loaded since.
  const [stored, setStored] = useState(brand && { brand, texts: initial });
  async function storeTexts(texts: BrandTexts): Promise<string> {
    if (stored?.texts === texts) return stored.brand.slug;
    const changed = stored ? await changeBrand(stored.brand, texts) : await addBrand(texts);
    setStored({ brand: changed, texts });
    return changed.slug;
  }
  return {
    isStored: stored !== undefined,
    /** Throws FieldError, ApiError. */
    store: async (texts: BrandTexts): Promise<void> => {
      const slug = await storeTexts(texts);
      if (svg === undefined) return;
      try {
        await putDrawing(slug, 'default', svg);
      } catch (error) {
        // The brand is in the list now, without a drawing.
        await refreshBrands();
        throw error;
      }
    },
  };
}

function ChangedMeanwhile() {
  return (
    <Note kind="bad">
      <p>It was changed or removed elsewhere meanwhile, so nothing of this was saved. Reload the page to see it.</p>
      <button type="button" className="link-button" onClick={() => location.reload()}>
        Reload
      </button>
    </Note>
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
