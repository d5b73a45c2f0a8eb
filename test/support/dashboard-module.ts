// Imports a module of the dashboard without a browser, to test pure functions.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles and imports the module. `path` is relative to src/dashboard/. */
export async function dashboardModule<Exports>(path: string): Promise<Exports> {
  const entry = fileURLToPath(new URL(`../../../src/dashboard/${path}`, import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
  const [file] = outputFiles;
  if (!file) throw new Error(`${path} was not built.`);
  return (await import(`data:text/javascript;base64,${Buffer.from(file.contents).toString('base64')}`)) as Exports;
}
