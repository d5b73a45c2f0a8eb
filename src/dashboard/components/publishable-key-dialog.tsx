// The form of a publishable key: name, hosts, daily limit.
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { ApiError } from '../api/error.js';
import { callSignedIn } from '../data/call.js';
import { queryClient } from '../data/client.js';
import { publishableKeys, type PublishableKey } from '../data/queries.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { TextField } from './field.js';
import { ErrorNote } from './note.js';
import { announce } from './toaster.js';

interface Props {
  /** Undefined: a new one. */
  readonly edited?: PublishableKey;
  readonly onClose: () => void;
}

export function PublishableKeyDialog({ edited, onClose }: Props) {
  const [name, setName] = useState(edited?.name ?? '');
  const [hosts, setHosts] = useState(edited?.origins.join('\n') ?? '');
  const [limit, setLimit] = useState(edited?.dailyLimit?.toString() ?? '');
  const body: Body = {
    name,
    origins: hosts.split(/[\s,]+/).filter((host) => host !== ''),
    // Of a new key, none has to be asked for.
    ...(limit.trim() === '' ? edited && { dailyLimit: null } : { dailyLimit: Number(limit) }),
  };
  const { saving, fieldError } = useSaving(body, { edited, onClose });
  const isOfField = ['name', 'origins', 'dailyLimit'].some((field) => fieldError(field) !== undefined);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate();
  };
  return (
    <Dialog
      onClose={onClose}
      title={edited ? `Edit ${edited.name}` : 'New publishable key'}
      text="It opens pictures only, and anybody can read it in your page."
    >
      <form className="form" onSubmit={submit}>
        {!isOfField && <ErrorNote error={saving.error} />}
        <TextField
          label="Name"
          value={name}
          onValue={setName}
          placeholder="Website"
          required
          maxLength={100}
          error={fieldError('name')}
        />
        <HostsField value={hosts} onValue={setHosts} error={fieldError('origins')} />
        <TextField
          label="Daily limit"
          inputMode="numeric"
          value={limit}
          onValue={setLimit}
          placeholder={edited ? 'None' : 'Half of the account'}
          hint={
            edited
              ? 'Pictures per UTC day. Empty: only the limits of your account.'
              : "Pictures per UTC day. Empty: half of your account's, so that the rest is left to the API key."
          }
          error={fieldError('dailyLimit')}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Not now</Button>
          <Button type="submit" kind="primary" busy={saving.isPending}>
            {edited ? 'Save' : 'Create key'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type Body = Pick<PublishableKey, 'name' | 'origins'> & Partial<Pick<PublishableKey, 'dailyLimit'>>;

function useSaving(
  body: Body,
  { edited, onClose }: { readonly edited: PublishableKey | undefined; readonly onClose: () => void },
) {
  const { name } = body;
  const saving = useMutation({
    mutationFn: () =>
      edited
        ? callSignedIn('patch', '/auth/publishable-keys/{id}', { params: { id: edited.id }, body })
        : callSignedIn('post', '/auth/publishable-keys', { body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: publishableKeys.queryKey });
      announce(edited ? `${name} changed` : `${name} created`);
      onClose();
    },
  });
  const fieldError = (field: string) => {
    const { error } = saving;
    if (!(error instanceof ApiError)) return undefined;
    const detail = error.details.find((each) => each.field.startsWith(field));
    return detail && error.fieldError(detail.field);
  };
  return { saving, fieldError };
}

interface HostsProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
}

function HostsField({ value, onValue, error }: HostsProps) {
  return (
    <div className="field">
      <label htmlFor="hosts">Hosts</label>
      <textarea
        id="hosts"
        className="input"
        rows={3}
        value={value}
        placeholder={'example.com\n*.example.com'}
        spellCheck={false}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? 'hosts-hint' : 'hosts-hint hosts-error'}
        onChange={(event) => onValue(event.target.value)}
      />
      <p className="hint" id="hosts-hint">
        One a line: <code>example.com</code>, <code>*.example.com</code> or <code>localhost</code>. Empty: any page.
      </p>
      {error !== undefined && (
        <p className="field-error" id="hosts-error">
          {error}
        </p>
      )}
    </div>
  );
}
