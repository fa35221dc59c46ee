import { languages } from '@pool/contract/languages'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { chunkGroups } from './chunks.ts'
import { compileMessages } from './compileMessages.ts'
import { stripSchemas } from './stripSchemas.ts'

export default defineConfig({
  // The server that writes the prerendered pages: on one address, where a port that is taken is
  // seen to be taken.
  preview: { host: '127.0.0.1' },
  plugins: [
    compileMessages(process.env.VITE_LANGUAGE ?? languages[0]),
    stripSchemas(),
    reactRouter(),
  ],
  // One style sheet, which every page has from the start: of several, what comes later would fetch
  // again what its page has, and wait for it.
  build: { cssCodeSplit: false },
  environments: {
    client: {
      build: { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } } },
    },
  },
})
