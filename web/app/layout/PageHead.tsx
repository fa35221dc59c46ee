import { LANGUAGE_PARAMETER, type Language, languages } from '@pool/contract/base/languages'
import { configuration } from '../configuration.ts'
import { language } from '../i18n/language.ts'

export type HeadProps = {
  readonly path:
    | '/'
    | '/login'
    | '/register'
    | '/forgot'
    | '/reset'
    | '/confirm'
    | '/freeze'
    | '/pool'
    | '/verify'
  readonly title: string
  readonly description: string
}

/** The URL of a page in a language. The first language has the plain one. */
const addressIn = (path: string, spoken: Language): string =>
  `${configuration().publicUrl}${path}${spoken === languages[0] ? '' : `?${LANGUAGE_PARAMETER}=${spoken}`}`

/** Absolute URLs. The server drops them when the operator gave no origin. */
const Addresses = ({ path }: { path: string }) => (
  <>
    <link rel="canonical" href={addressIn(path, language)} />
    {languages.map((spoken) => (
      <link key={spoken} rel="alternate" hrefLang={spoken} href={addressIn(path, spoken)} />
    ))}
    <link rel="alternate" hrefLang="x-default" href={addressIn(path, languages[0])} />
    <meta property="og:url" content={addressIn(path, language)} />
    <meta property="og:image" content={`${configuration().publicUrl}/card-${language}.png`} />
  </>
)

/** The metadata of a public page for search engines and link previews. */
export const PageHead = ({ path, title, description }: HeadProps) => (
  <>
    <title>{title}</title>
    <meta name="description" content={description} />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content={configuration().productName} />
    <meta property="og:title" content={title} />
    <meta property="og:description" content={description} />
    <meta property="og:locale" content={{ en: 'en_US', es: 'es_ES' }[language]} />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta name="twitter:card" content="summary_large_image" />
    {configuration().publicUrl !== '' && <Addresses path={path} />}
  </>
)
