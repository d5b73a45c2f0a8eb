// The form of an own brand. Less common fields are behind "More".
import { isApiError } from '../../api/error.js';
import { Button } from '../../components/button.js';
import { TextField, type FieldState } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { Note } from '../../components/note.js';
import { slugOf, type BrandTexts } from '../../data/own-brands.js';

interface Props {
  readonly texts: BrandTexts;
  readonly colors: readonly string[];
  /** Texts of the form's buttons. `action` submits the form. */
  readonly action: string;
  readonly cancel: string;
  readonly isNew?: boolean;
  readonly isInCard?: boolean;
  /** Saves the texts. Rejects with FieldError or ApiError. */
  readonly send: (texts: BrandTexts) => Promise<unknown>;
  readonly onSaved: (title: string) => unknown;
  readonly onCancel: () => void;
}

export function OwnBrandForm({ texts, colors, action, cancel, isNew = false, isInCard = false, ...on }: Props) {
  const form = useForm(texts, on.send, (_, { title }) => on.onSaved(title));
  const more = { aliases: form.field('aliases'), guidelines: form.field('guidelines') };
  const isMoreNeeded = Object.values(more).some(({ value, error }) => value !== '' || error !== undefined);
  return (
    <Form
      form={form}
      action={action}
      isInCard={isInCard}
      otherAction={<Button onClick={on.onCancel}>{cancel}</Button>}
      note={isApiError(form.otherError, 'precondition_failed') ? <ChangedMeanwhile /> : undefined}
    >
      <div className="field-pairs">
        <TextField label="Name" required maxLength={200} {...form.field('title')} />
        {isNew && <SlugField {...form.field('slug')} />}
        <ColorField colors={colors} {...form.field('hex')} />
        <TextField
          label="Domains"
          rows={2}
          placeholder={'intranet.corp\nnas.local'}
          spellCheck={false}
          hint="One per line: host names or IP addresses."
          {...form.field('domains')}
        />
      </div>
      <details className="more" open={isMoreNeeded || undefined}>
        <summary>More</summary>
        <div className="field-pairs">
          <TextField
            label="Other names"
            rows={2}
            hint="One per line. Search finds the brand by these names."
            {...more.aliases}
          />
          <TextField
            label="Guidelines"
            type="url"
            placeholder="https://example.com/brand"
            hint="Page with the rules for using the logo."
            {...more.guidelines}
          />
        </div>
      </details>
    </Form>
  );
}

function SlugField(field: FieldState) {
  return (
    <TextField
      label="Slug"
      required
      maxLength={100}
      spellCheck={false}
      hint={
        <>
          Part of the URL: <code>/v1/svg/{slugOf(field.value) || '…'}</code>. If a public brand has the same slug, your
          account gets your brand instead.
        </>
      }
      {...field}
    />
  );
}

function ChangedMeanwhile() {
  return (
    <Note kind="bad">
      <p>
        This brand was changed or removed in another window. Your changes are not saved. Reload the page to see the
        current brand.
      </p>
      <button type="button" className="link-button" onClick={() => location.reload()}>
        Reload
      </button>
    </Note>
  );
}

/** A field with the colors of the drawing as choices. */
function ColorField({ colors, ...field }: FieldState & { readonly colors: readonly string[] }) {
  return (
    <TextField
      label="Color"
      placeholder="#1D9BF0"
      maxLength={7}
      spellCheck={false}
      hint={
        colors.length === 0 ? (
          'Six hex digits. If this is empty, Blazon uses the first color of the drawing.'
        ) : (
          <span className="pick-colors">
            Colors of the drawing:
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
