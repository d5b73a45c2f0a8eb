// Dialogs of a webhook endpoint: its settings, and its secret, which is shown once.
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/button.js';
import { CopyButton } from '../../components/copy.js';
import { Dialog } from '../../components/dialog.js';
import { TextField, type FieldState } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { ErrorNote } from '../../components/note.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { webhooks, type Webhook } from '../../data/queries.js';

type Kind = Webhook['kinds'][number];

/**
 * The kinds of events that an account can choose, with their texts. `webhook.test` is missing, because the button
 * "Test" sends it.
 */
const KINDS: readonly (readonly [Kind, string])[] = [
  ['quota.threshold', '80 % of a daily quota is used'],
  ['quota.exhausted', 'A daily quota is used up'],
  ['key.regenerated', 'The API key was replaced'],
  ['publishable_key.changed', 'A publishable key was created, changed or revoked'],
  ['sessions.ended', 'Sessions were ended'],
  ['account.email_changed', 'The e-mail address was changed'],
  ['subscription.updated', 'The plan or the subscription has changed'],
  ['brand.updated', 'An own brand was added or changed'],
  ['brand.removed', 'An own brand was removed'],
];

interface Props {
  /** Undefined for a new endpoint. */
  readonly edited?: Webhook | undefined;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
}

const kindsIn = (text: string): Kind[] => KINDS.map(([kind]) => kind).filter((kind) => text.split(' ').includes(kind));

export function WebhookDialog({ edited, onClose, onSecret }: Props) {
  const form = useForm(
    {
      url: edited?.url ?? '',
      description: edited?.description ?? '',
      kinds: (edited?.kinds ?? []).join(' '),
      enabled: edited?.enabled === false ? '' : 'yes',
    },
    (texts) => save(texts, edited),
    async (secret) => {
      await refetch(webhooks.queryKey);
      announce(edited ? 'Endpoint changed' : 'Endpoint added');
      onClose();
      if (secret !== undefined) onSecret(secret);
    },
  );
  const enabled = form.field('enabled');
  return (
    <Dialog onClose={onClose} title={edited ? 'Edit endpoint' : 'Add endpoint'}>
      <Form
        form={form}
        action={edited ? 'Save' : 'Add endpoint'}
        otherAction={<Button onClick={onClose}>Cancel</Button>}
      >
        <TextField
          label="URL"
          type="url"
          inputMode="url"
          placeholder="https://example.com/hooks/blazon"
          required
          spellCheck={false}
          {...form.field('url')}
        />
        <TextField label="Description" placeholder="Optional" maxLength={200} {...form.field('description')} />
        <KindsField {...form.field('kinds')} />
        {edited && (
          <label className="check">
            <input
              type="checkbox"
              checked={enabled.value !== ''}
              onChange={(event) => enabled.onValue(event.target.checked ? 'yes' : '')}
            />
            Send events to this endpoint
          </label>
        )}
      </Form>
    </Dialog>
  );
}

type Texts = Readonly<Record<'url' | 'description' | 'kinds' | 'enabled', string>>;

/** Saves the endpoint. Returns the secret of a new endpoint, or undefined for an edited endpoint. */
async function save(
  { url, description, kinds, enabled }: Texts,
  edited: Webhook | undefined,
): Promise<string | undefined> {
  const body = { url, description, kinds: kindsIn(kinds) };
  if (!edited) return (await callSignedIn('post', '/auth/webhooks', { body })).secret;
  const change = { ...body, enabled: enabled !== '' };
  await callSignedIn('patch', '/auth/webhooks/{id}', { params: { id: edited.id }, body: change });
  return undefined;
}

function KindsField({ value, onValue, error }: FieldState) {
  const chosen: readonly Kind[] = kindsIn(value);
  const toggle = (kind: Kind): void =>
    onValue((chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind]).join(' '));
  return (
    <fieldset className="field">
      <legend>Events</legend>
      {KINDS.map(([kind, text]) => (
        <label key={kind} className="check">
          <input type="checkbox" checked={chosen.includes(kind)} onChange={() => toggle(kind)} />
          {text}
        </label>
      ))}
      {error !== undefined && <p className="field-error">{error}</p>}
    </fieldset>
  );
}

interface SecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export function WebhookSecretDialog({ secret, onClose }: SecretProps) {
  return (
    <Dialog
      title="Signing secret"
      text="Your server verifies the signatures of events with this secret. Store it now, because it is shown only once."
    >
      <div className="secret">
        <code data-testid="webhook-secret">{secret}</code>
      </div>
      <div className="dialog-actions">
        <CopyButton text={secret} label="Copy secret" />
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  );
}

interface RotateProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onSecret: (secret: string) => void;
}

export function RotateSecretDialog({ webhook: { id, secretHint }, onClose, onSecret }: RotateProps) {
  const rotating = useMutation({
    mutationFn: () => callSignedIn('post', '/auth/webhooks/{id}/rotate-secret', { params: { id } }),
    onSuccess: async ({ secret }) => {
      await refetch(webhooks.queryKey);
      onClose();
      onSecret(secret);
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title="Replace secret"
      text={`The current secret ends in ${secretHint}. After you create a new secret, the current one stays valid for 24 hours, so that your server can change to the new one.`}
    >
      <ErrorNote error={rotating.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={rotating.isPending} onClick={() => rotating.mutate()}>
          Replace secret
        </Button>
      </div>
    </Dialog>
  );
}
