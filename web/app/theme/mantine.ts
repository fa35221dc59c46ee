import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from '@mantine/core'
import { common } from '../i18n/common.ts'

const petrol: MantineColorsTuple = [
  '#e9f5f6',
  '#d3e9ec',
  '#a5d3d9',
  '#86d7e1',
  '#63c8d5',
  '#3a9dab',
  '#1c7a88',
  '#0f6675',
  '#0b5c6b',
  '#084853',
]

/** Mantine's greys of the dark scheme, in our tint. */
const dark: MantineColorsTuple = [
  '#e9f1f0',
  '#c5d3d3',
  '#a5b8ba',
  '#8399a0',
  '#3d545b',
  '#24373d',
  '#18272b',
  '#121e21',
  '#0d1719',
  '#0b1416',
]

/** Mantine in the product's colours and type (tokens.css). */
export const theme = createTheme({
  colors: { petrol, dark },
  primaryColor: 'petrol',
  primaryShade: { light: 8, dark: 4 },
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-code)',
  headings: { fontFamily: 'var(--font-text)', fontWeight: '600', textWrap: 'balance' },
  defaultRadius: 'md',
  radius: { md: 'var(--radius-small)', lg: 'var(--radius)' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A header element would make each dialog a second banner.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    PasswordInput: {
      // Avoids the word "password", which names the field itself.
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': common('password.toggle') },
      },
    },
  },
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input)
    const isPrimary = input.color === undefined || input.color === input.theme.primaryColor
    return isPrimary && input.variant === 'filled'
      ? { ...colors, color: 'var(--on-accent)' }
      : colors
  },
})

/** Our colours under Mantine's names. */
const tones = {
  red: 'red',
  green: 'green',
  yellow: 'amber',
  orange: 'amber',
  blue: 'blue',
  violet: 'purple',
  grape: 'purple',
} as const

const tinted = Object.fromEntries(
  Object.entries(tones).flatMap(([name, token]) => [
    [`--mantine-color-${name}-light`, `var(--${token}-soft)`],
    [`--mantine-color-${name}-light-color`, `var(--${token})`],
  ]),
)

const shared = {
  ...tinted,
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-muted)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-placeholder': 'var(--ink-muted)',
  '--mantine-color-anchor': 'var(--accent-ink)',
  '--mantine-color-error': 'var(--red)',
  '--mantine-color-red-filled': 'var(--red-filled)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-petrol-filled': 'var(--accent)',
  '--mantine-color-petrol-filled-hover': 'var(--accent-hover)',
  '--mantine-color-petrol-light-hover': 'color-mix(in srgb, var(--accent-soft) 82%, var(--accent))',
  '--mantine-color-petrol-light': 'var(--accent-soft)',
  '--mantine-color-petrol-light-color': 'var(--accent-ink)',
  '--mantine-color-petrol-outline': 'var(--accent)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
}

/** Tokens know light and dark, so both schemes get the same names. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: shared,
  dark: shared,
})
