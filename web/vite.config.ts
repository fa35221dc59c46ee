import { languages } from '@pool/contract/base/languages'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { chunkGroups, isLate } from './chunks.ts'
import { compileMessages } from './compileMessages.ts'
import { stripSchemas } from './stripSchemas.ts'

export default defineConfig({
  // The server of prerendering listens on one address, so a taken port is noticed.
  preview: { host: '127.0.0.1' },
  plugins: [
    compileMessages(process.env.VITE_LANGUAGE ?? languages[0]),
    stripSchemas(),
    reactRouter(),
  ],
  // One style sheet for all pages. Several would load shared rules again.
  build: {
    cssCodeSplit: false,
    reportCompressedSize: false,
    modulePreload: { resolveDependencies: (_, files) => files.filter(isLate) },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Reads only imported icons: all 6,000 take two thirds of the build's time.
          experimental: { lazyBarrel: true },
          output: { codeSplitting: { groups: chunkGroups() } },
        },
      },
    },
  },
})
