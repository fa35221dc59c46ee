/** The URLs of `postgres://user@first,second:5433/pool`, one for each of its hosts. */
export const urlsOf = (url: string): readonly [string, ...string[]] => {
  const [, before = '', hosts = '', after = ''] =
    /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  const [first = '', ...others] = hosts.split(',').map((host) => before + host + after)
  return [first, ...others]
}
