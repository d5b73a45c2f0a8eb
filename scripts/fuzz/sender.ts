// Sender of cases as accounts of the run, with a count of what the service gave them.
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Accounts } from './accounts.js';
import { filled, type Case } from './case.js';
import type { Api } from './document.js';
import { exchange, takesBytes, type Exchange } from './exchange.js';
import { violationsOf, type Violation } from './oracles.js';
import type { KnownSecrets } from './secrets.js';
import { usageTally, type UsageTally } from './usage.js';

const MAX_HELD = 48;
const MAX_HELD_OF_A_KIND = 12;
const PROBE_MS = 300;
/** The service gives a client a second to close its side after an answer that says `close`. */
const LINGER_MS = 1500;

interface Held {
  readonly index: number;
  readonly case: Case;
  readonly socket: Socket;
}

export interface Sent {
  readonly exchange: Exchange;
  readonly violations: readonly Violation[];
}

export interface Sender {
  send(one: Case, index: number): Promise<Sent>;
  readonly tallies: readonly UsageTally[];
  /** Connections that the service has answered and said to close, but still holds. */
  keptConnections(): Promise<{ readonly index: number; readonly case: Case }[]>;
  /** Of those that are still open on this side. */
  closeHeld(): void;
}

interface SenderOptions {
  readonly port: number;
  readonly deadlineMs: number;
  readonly api: Api;
  readonly accounts: Accounts;
  readonly secrets: KnownSecrets;
}

export function createSender({ port, deadlineMs, api, accounts, secrets }: SenderOptions): Sender {
  const operations = new Map(api.operations.map((operation) => [operation.id, operation]));
  const tallies = (['steady', 'free', 'leaver'] as const).map((role) =>
    usageTally(role, accounts.of(role).credentials.key),
  );
  const held: Held[] = [];

  function hold(one: Case, index: number, socket: Socket): void {
    const isEnough =
      held.length >= MAX_HELD || held.filter(({ case: { kind } }) => kind === one.kind).length >= MAX_HELD_OF_A_KIND;
    if (isEnough) socket.destroy();
    else held.push({ case: one, index, socket });
  }

  return {
    tallies,
    async send(one, index) {
      const account = one.role === 'expendable' ? await accounts.takeExpendable() : accounts.of(one.role);
      const fill = (text: string) => filled(text, account.credentials);
      const result = await exchange(port, one, fill, { deadlineMs });
      one.messages.forEach((message, at) => {
        for (const tally of tallies)
          tally.add({ index, case: one }, at, { fields: fill(message.fields.join('\n')), answer: result.answers[at] });
      });
      if (one.role === 'expendable') {
        account.isSpent = isSpent(one, result);
        accounts.giveBack(account);
      }
      if (result.held) hold(one, index, result.held);
      const operation = one.operation === undefined ? undefined : operations.get(one.operation);
      return { exchange: result, violations: violationsOf(one, result, { operation, secrets, fill }) };
    },
    async keptConnections() {
      await sleep(LINGER_MS);
      const ended = held.filter(({ socket }) => socket.readableEnded);
      const stillOpen = await Promise.all(ended.map(({ socket }) => takesBytes(socket, PROBE_MS)));
      return ended.filter((_, at) => stillOpen[at]);
    },
    closeHeld() {
      for (const { socket } of held.splice(0)) socket.destroy();
    },
  };
}

/** Something about the account may have changed: its key, its sessions, its password. */
function isSpent({ messages, ending }: Case, { answers }: Exchange): boolean {
  const isKnown = ending === 'read' && answers.length === messages.length;
  return !isKnown || answers.some(({ status }, at) => status < 300 && messages[at]?.line.startsWith('GET ') !== true);
}
