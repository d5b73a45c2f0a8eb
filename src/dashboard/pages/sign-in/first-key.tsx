// The key of a new account, shown once.
import { useState } from 'react';
import { Redirect } from 'wouter';
import { NewKey } from '../../components/new-key.js';
import { FormPage } from './form-page.js';

export function FirstKey({ apiKey }: { readonly apiKey: string }) {
  const [isStored, setStored] = useState(false);
  if (isStored) return <Redirect to="/overview" replace />;
  return (
    <FormPage title="Your API key" lead="It gives access to the API on behalf of your account." wide>
      <NewKey apiKey={apiKey} action="Continue to the dashboard" onStored={() => setStored(true)} />
    </FormPage>
  );
}
