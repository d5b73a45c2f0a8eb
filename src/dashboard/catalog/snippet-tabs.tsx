// The code for a picture, by language.
import { Tabs } from '@ark-ui/react/tabs';
import { Code } from '../components/copy.js';
import { snippets, type SnippetOf } from './snippets.js';

export function SnippetTabs({ of }: { readonly of: SnippetOf }) {
  const list = Object.entries(snippets(of));
  return (
    <Tabs.Root defaultValue="curl" className="snippets" lazyMount unmountOnExit>
      <Tabs.List className="tabs-list" aria-label="Code">
        {list.map(([language]) => (
          <Tabs.Trigger key={language} value={language}>
            {language}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {list.map(([language, code]) => (
        <Tabs.Content key={language} value={language}>
          <Code text={code} label={`${language} code`} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
