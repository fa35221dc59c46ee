import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  build: {
    rolldownOptions: {
      // The contract's schemas do nothing but describe: a page that uses only a constant of it need not carry them.
      treeshake: { manualPureFunctions: ['z'] },
    },
  },
})
