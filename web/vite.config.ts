import { defineConfig } from 'vite';

// Everything by relative addresses, so that the page works from any folder of any host, and from inside of the command.
export default defineConfig({
  base: './',
  worker: { format: 'iife' },
  build: {
    target: 'es2022',
    modulePreload: false,
    // The page and what is loaded with it in one file each: an exported file takes them in.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/page.js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
});
