// Finds Chromium on this machine for tests and measurements.
import { existsSync } from 'node:fs';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const NO_CHROMIUM = `no Chromium at ${PATHS.join(', ')}: apt-get install chromium`;

/** Returns options of `chromium.launch`, or undefined if Chromium is not installed. */
export function chromiumOptions(): { readonly executablePath: string; readonly args: string[] } | undefined {
  const executablePath = PATHS.find((path) => existsSync(path));
  return executablePath === undefined ? undefined : { executablePath, args: [...ARGUMENTS] };
}

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
