// Chooses the publishable key that the shown URLs and code contain. An account without a key can create one here.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useSession } from '../api/session.js';
import { callSignedIn } from '../data/call.js';
import { refetch } from '../data/client.js';
import { publishableKeys } from '../data/queries.js';
import { settings } from '../settings.js';
import { Button } from './button.js';
import { ErrorNote } from './note.js';
import { Select } from './select.js';

interface Props {
  readonly chosen: string | undefined;
  readonly onChosen: (key: string | undefined) => void;
}

/** `key` is undefined for visitors, and until the account's keys are loaded. */
export function usePublishableKey() {
  const [chosen, choose] = useState<string>();
  const isSignedIn = useSession() === 'signed-in';
  return { key: isSignedIn ? chosen : undefined, choose };
}

/** For visitors, shows how to get a key. */
export function PublishableKeyChoice(props: Props) {
  return useSession() === 'signed-in' ? <KeyChoice {...props} /> : <SignInHint />;
}

function SignInHint() {
  return (
    <p className="hint">
      This code needs a key.{' '}
      <a href={`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`}>Sign in</a>
      {settings.registration !== 'closed' && (
        <>
          {' '}
          or <a href="/register">create a free account</a>
        </>
      )}{' '}
      to add your key.
    </p>
  );
}

function KeyChoice({ chosen, onChosen }: Props) {
  const id = useId();
  const { data: keys } = useQuery(publishableKeys);
  const making = useMutation({
    mutationFn: () => callSignedIn('post', '/auth/publishable-keys', { body: { name: 'Website' } }),
    onSuccess: async ({ publishableKey }) => {
      await refetch(publishableKeys.queryKey);
      onChosen(publishableKey.key);
    },
  });
  const known = keys?.find(({ key }) => key === chosen);
  const first = keys?.[0]?.key;
  useEffect(() => {
    if (keys && !known && chosen !== first) onChosen(first);
  }, [keys, known, chosen, first, onChosen]);
  if (!keys) return null;
  if (keys.length === 0)
    return (
      <div className="note">
        <div className="note-body">
          <p>
            To show logos in a web page, you need a publishable key. Everyone can read the key there, so it gives access
            to pictures only. You can restrict it to your domains later.
          </p>
          <Button size="small" kind="primary" busy={making.isPending} onClick={() => making.mutate()}>
            Create publishable key
          </Button>
          <ErrorNote error={making.error} />
        </div>
      </div>
    );
  const options = keys.map(({ name, key, origins }) => {
    const hosts = origins.length === 0 ? 'any website' : origins.join(', ');
    return [key, `${name} (${hosts})`] as const;
  });
  return (
    <div className="control wide">
      <label htmlFor={id}>Publishable key</label>
      <Select id={id} value={chosen} onValue={onChosen} options={options} />
      {known?.origins.length === 0 && (
        <p className="hint">
          Any website can use this key. <a href="/keys">Restrict it to your domains</a>.
        </p>
      )}
    </div>
  );
}
