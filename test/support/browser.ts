// Chromium for tests. Without it a test is pending, with the reason; where CI=true it fails.
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Called from a `before` hook with its `this`. */
export async function launchBrowser(test: Mocha.Context): Promise<Browser> {
  const executablePath = PATHS.find((path) => existsSync(path));
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: ARGUMENTS });
  const reason = `no Chromium at ${PATHS.join(', ')}: apt-get install chromium`;
  if (process.env.CI === 'true') throw new Error(reason);
  process.stdout.write(`      pending: ${reason}\n`);
  test.skip();
}
