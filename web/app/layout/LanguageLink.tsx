import { LANGUAGE_PARAMETER, type Language } from '@pool/contract/base/languages'
import { language } from '../i18n/language.ts'
import classes from './LanguageLink.module.css'

const names: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' }
const others = (Object.keys(names) as Language[]).filter((other) => other !== language)

/**
 * Links to this page in the other language. theme/page.js remembers the choice and keeps the rest
 * of the URL.
 */
export const LanguageLink = () =>
  others.map((other) => (
    <a
      key={other}
      className={classes.link}
      href={`?${LANGUAGE_PARAMETER}=${other}`}
      lang={other}
      hrefLang={other}
      data-language={other}
    >
      {names[other]}
    </a>
  ))
