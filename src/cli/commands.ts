// All commands by name.
import type { Command } from 'commander';

/** Loaded when they run: each has libraries that others do not need. */
export const COMMANDS = {
  account: () => import('./account.js'),
  billing: () => import('./billing.js'),
  catalog: () => import('./catalog.js'),
  counters: () => import('./counters.js'),
  doctor: () => import('./doctor.js'),
  jobs: () => import('./jobs.js'),
  reload: () => import('./reload.js'),
} satisfies Record<string, () => Promise<{ readonly default: Command }>>;

export type CommandName = keyof typeof COMMANDS;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}
