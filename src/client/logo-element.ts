// The element `<blazon-logo domain="stripe.com" size="32">`. It shows a logo in a box of fixed size, with one picture
// for light pages and one for dark pages.
import { logoUrl, pictureUrl, type LogoParameters } from './urls.js';

export interface LogoElementOptions {
  /** URL of the service. */
  readonly url: string;
  /** A publishable key. */
  readonly key?: string | undefined;
  /** Tag name of the element. Default: `blazon-logo`. */
  readonly name?: string | undefined;
}

const DEFAULT_SIZE = 32;
const FALLBACKS = ['404', 'monogram', 'transparent'] as const;
const ATTRIBUTES = ['domain', 'slug', 'size', 'variant', 'fallback', 'alt'];

/**
 * Defines the element. Call it once per page. Attributes: `domain` or `slug`, `size` (px), `variant`, `fallback`,
 * `alt`.
 */
export function defineLogoElement({ url, key, name = 'blazon-logo' }: LogoElementOptions): void {
  if (typeof customElements === 'undefined' || customElements.get(name)) return;

  class LogoElement extends HTMLElement {
    static readonly observedAttributes = ATTRIBUTES;
    readonly #root = this.attachShadow({ mode: 'open' });

    connectedCallback(): void {
      this.#draw();
    }

    attributeChangedCallback(): void {
      if (this.isConnected) this.#draw();
    }

    #draw(): void {
      const [domain, slug] = [this.getAttribute('domain'), this.getAttribute('slug')];
      const size = sizeIn(this.getAttribute('size'));
      const image = document.createElement('img');
      Object.assign(image, { width: size, height: size, alt: this.getAttribute('alt') ?? domain ?? slug ?? '' });
      image.style.cssText = 'display:block;object-fit:contain';
      this.style.cssText += `;display:inline-block;width:${size}px;height:${size}px`;
      const picture = document.createElement('picture');
      if (domain !== null || slug !== null) {
        const dark = document.createElement('source');
        dark.media = '(prefers-color-scheme: dark)';
        dark.srcset = this.#address('dark');
        image.src = this.#address('light');
        picture.append(dark);
      }
      picture.append(image);
      this.#root.replaceChildren(picture);
    }

    #address(on: 'light' | 'dark'): string {
      const [domain, slug, variant] = ['domain', 'slug', 'variant'].map((attribute) => this.getAttribute(attribute));
      const fallback = FALLBACKS.find((one) => one === this.getAttribute('fallback')) ?? 'monogram';
      const given = { fallback, on, ...(variant && { variant }), ...(key !== undefined && { key }) };
      return slug
        ? pictureUrl(url, 'svg', slug, given)
        : logoUrl(url, domain ?? '', { ...given, format: 'svg' } satisfies LogoParameters);
    }
  }

  customElements.define(name, LogoElement);
}

function sizeIn(text: string | null): number {
  const size = Number(text ?? DEFAULT_SIZE);
  return Number.isInteger(size) && size >= 8 && size <= 2048 ? size : DEFAULT_SIZE;
}
