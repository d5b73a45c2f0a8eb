// Sends the reader's request, and returns its answer for display.
import type { ApiRequest } from './request.js';

export interface Answer {
  /** "200 OK", or the reason why there is no response. */
  readonly text: string;
  readonly isGood: boolean;
  readonly timeMs: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: AnswerBody | undefined;
}

interface AnswerBody {
  readonly content: Blob;
  readonly isPicture: boolean;
  /** Formatted if it is JSON. Empty for a picture. */
  readonly text: string;
  readonly fileName: string;
}

/** Never rejects. If no response arrives, resolves with an `Answer` that states the reason. */
export async function answerTo(
  { method, url, headers, body: text, file }: ApiRequest,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const sentAt = performance.now();
  const since = (): number => Math.round(performance.now() - sentAt);
  const body = file?.content ?? text;
  try {
    const response = await fetch(url, { method, headers, signal: signal ?? null, ...(body !== '' && { body }) });
    const timeMs = since();
    const { status, statusText, ok } = response;
    const content = await response.blob();
    return {
      text: `${status} ${statusText}`.trim(),
      isGood: ok,
      timeMs,
      headers: [...response.headers],
      body: content.size === 0 ? undefined : await bodyOf(content, url),
    };
  } catch (error) {
    const text = `No response: ${error instanceof Error ? error.message : String(error)}`;
    return { text, isGood: false, timeMs: since(), headers: [], body: undefined };
  }
}

async function bodyOf(content: Blob, url: string): Promise<AnswerBody> {
  const extension = (/^\w+\/([\w-]+)/.exec(content.type)?.[1] ?? 'plain').replace(/^plain$/, 'txt');
  const isPicture = content.type.startsWith('image/');
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return {
    content,
    isPicture,
    text: isPicture ? '' : formatted(await content.text()),
    fileName: name.endsWith(`.${extension}`) ? name : `${name}.${extension}`,
  };
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
