import geist from '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?url'
import { CONFIGURATION_ELEMENT, configurationMarks } from '@pool/contract/base/configuration'
import { type ReactNode, useContext } from 'react'
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import type { Route } from './+types/root.ts'
import { configuration } from './configuration.ts'
import { language } from './i18n/language.ts'
import { StillPage } from './StillPage.ts'
import './theme/tokens.css'
import './theme/base.css'
import { ConnectionStrip } from './layout/ConnectionStrip.tsx'
import { LoadingPage } from './layout/LoadingPage.tsx'
import { ProblemPage } from './layout/ProblemPage.tsx'
import { Sandbox } from './layout/Sandbox.tsx'
import pageScript from './theme/page.js?raw'

/** The HTML brings this script, so the app leaves it out. */
const documentScript = import.meta.env.SSR ? pageScript : ''

/** The id of the last element that must be read before the first paint. */
const END = 'end'

/**
 * The document of every page. The server replaces the marks by the operator's values
 * (contract/base/configuration.ts).
 */
export const Layout = ({ children }: { children: ReactNode }) => {
  const isStill = useContext(StillPage)
  return (
    <html lang={language} data-pool-mode={configuration().poolMode} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        {/* First of all: nothing is drawn without the style sheet. */}
        <Links />
        {/* Delays the first paint until the whole page is read, so that nothing moves. */}
        <link rel="expect" href={`#${END}`} blocking="render" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f7f4" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0b1416" />
        <link rel="icon" href="/favicon-48.png" sizes="48x48" type="image/png" />
        <link rel="icon" href="/favicon.svg" sizes="any" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="preload" href={geist} as="font" type="font/woff2" crossOrigin="anonymous" />
        <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: documentScript }} />
        <script
          type="application/json"
          id={CONFIGURATION_ELEMENT}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: JSON.stringify(configurationMarks) }}
        />
        <Meta />
      </head>
      <body>
        <Sandbox />
        <ConnectionStrip />
        {children}
        <template id={END} />
        {!isStill && <ScrollRestoration />}
        {!isStill && <Scripts />}
      </body>
    </html>
  )
}

/** Shown until the code of a page without HTML has arrived. */
export const HydrateFallback = LoadingPage

export const ErrorBoundary = ({ error }: Route.ErrorBoundaryProps) => <ProblemPage error={error} />

export default function App() {
  return <Outlet />
}
