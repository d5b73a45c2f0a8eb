// Lazy loading of libvips: it is large, and most pictures do not need it.
import type sharp from 'sharp';

export async function loadSharp(): Promise<typeof sharp> {
  const { default: loaded } = await import('sharp');
  // Jobs run side by side in their own threads; every picture is drawn once.
  loaded.concurrency(1);
  loaded.cache(false);
  return loaded;
}
