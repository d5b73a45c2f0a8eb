// The form for a publishable key: name, hosts and daily limit.
import { FieldError } from '../../api/error.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { TextField } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { publishableKeys, type PublishableKey } from '../../data/queries.js';
import { formatNumber } from '../../format.js';
import { hostOf } from '../../host-of.js';
import { parseWholeNumber } from '../../numbers.js';

interface Props {
  /** Undefined for a new key. */
  readonly edited?: PublishableKey | undefined;
  readonly onClose: () => void;
}

export function PublishableKeyDialog({ edited, onClose }: Props) {
  const form = useForm(
    {
      name: edited?.name ?? '',
      origins: edited?.origins.join('\n') ?? '',
      dailyLimit: typeof edited?.dailyLimit === 'number' ? formatNumber(edited.dailyLimit) : '',
    },
    (texts) => save(texts, edited),
    async (_, { name }) => {
      await refetch(publishableKeys.queryKey);
      announce(edited ? `${name} changed` : `${name} created`);
      onClose();
    },
  );
  return (
    <Dialog
      onClose={onClose}
      title={edited ? `Edit ${edited.name}` : 'New publishable key'}
      text="Anybody can read this key in your page, so it gives access to pictures only."
    >
      <Form form={form} action={edited ? 'Save' : 'Create key'} otherAction={<Button onClick={onClose}>Cancel</Button>}>
        <TextField label="Name" placeholder="Website" required maxLength={100} {...form.field('name')} />
        <TextField
          label="Hosts"
          rows={3}
          placeholder={'example.com\n*.example.com'}
          spellCheck={false}
          hint={
            <>
              One per line: <code>example.com</code>, <code>*.example.com</code> or <code>localhost</code>. If this is
              empty, any website can use the key.
            </>
          }
          {...form.field('origins')}
        />
        <TextField
          label="Daily limit"
          inputMode="numeric"
          placeholder={edited ? 'None' : 'Half of the account’s limit'}
          hint={limitHint(form.texts.dailyLimit, edited !== undefined)}
          {...form.field('dailyLimit')}
        />
      </Form>
    </Dialog>
  );
}

type Texts = Readonly<Record<'name' | 'origins' | 'dailyLimit', string>>;

/** Returns a hint with the typed number as the form has understood it. */
function limitHint(typed: string, isEdited: boolean): string {
  const limit = parseWholeNumber(typed);
  if (limit !== undefined) return `${formatNumber(limit)} ${limit === 1 ? 'picture' : 'pictures'} per UTC day.`;
  return isEdited
    ? 'Pictures per UTC day. If this is empty, only the limits of your account apply.'
    : 'Pictures per UTC day. If this is empty, the limit is half of your account’s limit.';
}

/** Throws FieldError. */
async function save({ name, origins, dailyLimit: typed }: Texts, edited: PublishableKey | undefined) {
  const dailyLimit = parseWholeNumber(typed);
  if (dailyLimit === undefined && typed.trim() !== '')
    throw new FieldError('dailyLimit', 'Not a whole number. Type it as 10000 or 10,000, or leave it empty.');
  const body = {
    name,
    origins: origins
      .split(/[\s,]+/)
      .filter((host) => host !== '')
      .map(hostOf),
    // A new key without a limit gets the service's default limit. Only an explicit null means no limit.
    ...(dailyLimit === undefined ? edited && { dailyLimit: null } : { dailyLimit }),
  };
  return edited
    ? callSignedIn('patch', '/auth/publishable-keys/{id}', { params: { id: edited.id }, body })
    : callSignedIn('post', '/auth/publishable-keys', { body });
}
