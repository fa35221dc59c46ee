import type { MantineColorSchemeManager } from '@mantine/core'

const shown = (): 'light' | 'dark' =>
  document.documentElement.dataset.mantineColorScheme === 'dark' ? 'dark' : 'light'

let follow: (() => void) | undefined

/** Mantine follows theme/page.js and never decides. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (otherwise) => (typeof document === 'undefined' ? otherwise : shown()),
  set: () => undefined,
  subscribe: (watch) => {
    follow = () => watch(shown())
    window.addEventListener('colorscheme', follow)
  },
  unsubscribe: () => {
    if (follow) window.removeEventListener('colorscheme', follow)
  },
  clear: () => undefined,
}
