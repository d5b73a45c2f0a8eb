// Modules that the build generates (vite.config.js).
declare module 'virtual:picture-parameters' {
  /** An operation, as in the OpenAPI document. */
  interface Operation {
    readonly parameters: readonly {
      readonly in: 'path' | 'query';
      readonly name: string;
      readonly description: string;
      readonly schema: {
        readonly type?: string;
        readonly enum?: readonly (string | number)[];
        readonly anyOf?: readonly { readonly enum?: readonly string[] }[];
        readonly minimum?: number;
        readonly maximum?: number;
        readonly default?: string | number;
      };
    }[];
    readonly rules: readonly {
      readonly parameter?: string;
      readonly value?: string | number;
      readonly notWith?: readonly string[];
      readonly notWithValue?: { readonly parameter: string; readonly value: string | number };
    }[];
  }
  const operations: Readonly<Record<'svg' | 'png' | 'webp' | 'favicon' | 'strip', Operation>>;
  export default operations;
}

declare module 'virtual:migration' {
  /**
   * Example URLs of other services, each with the URL of this service that replaces it: `/compat/{publishableKey}/…`.
   */
  export const services: readonly {
    readonly name: string;
    readonly addresses: readonly { readonly address: string; readonly here: string }[];
  }[];
  /** Sections of docs/migrate-from.md, in Markdown. */
  export const guide: readonly { readonly title: string; readonly text: string }[];
}

declare module 'virtual:icons' {
  import type { ReactNode } from 'react';
  /** Shapes of the icons, drawn in an area of 24 × 24, by the keys of icons.json. */
  const icons: Readonly<Record<string, ReactNode>>;
  export default icons;
}

declare module '*.svg' {
  const address: string;
  export default address;
}
declare module '*.css';
