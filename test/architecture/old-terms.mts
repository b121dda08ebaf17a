/** Private terms that were replaced by standard ones, and the allowed uses of the same word. */

export type OldTerm = {
  term: string;
  use: string;
  pattern: RegExp;
  /** Lines that may contain it: the trade's meaning, a protocol's or plain English. */
  allowed?: RegExp;
  allowedIn?: RegExp;
  planted: string;
};

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Matches a word alone or as a part of an identifier: `wish`, `isSameWish`, `wish_of`, but not `wished` or `swish`. */
const part = (...words: string[]) =>
  new RegExp(
    words
      .map((word) => `(?<![A-Za-z])(?:${word}|${capital(word)})(?![a-z])|(?<=[a-z0-9])${capital(word)}(?![a-z])`)
      .join("|"),
  );

/** Texts of the demo market in everyday language: artists, reviews and venues. */
const demoTexts = /^seed\/(artists-data|genre-words|review-words|people-data|.*-texts?)\.ts$/;

export const oldTerms: OldTerm[] = [
  {
    term: "letter for an email",
    use: "email; glyph or character for signs",
    pattern: part("letter", "letters"),
    allowed:
      /letter-?spacing|dead.?letter|(capital|small|lower-?case|upper-?case|first|six|one|two|single|ASCII|Latin|Cyrillic|Greek|accented|look-?alike|doubled|other|of|by|full-width|base|these|plain|foreign|bare) letters?|letters? (and|or|of|by|without|beyond|with|that|are|is|in|\d)|letters?,? (digits|numbers)|letterpress|first-letter|letters written as digits|\\p\{L/i,
    allowedIn: /^src\/artists\/(artwork|gazetteer)\//,
    planted: "export const sendLetter = 1;",
  },
  {
    term: "tell, tellX",
    use: "enqueueEmail, enqueueMessage, notifyX",
    pattern: /\btell(?:[A-Z]\w*|\((?:tx|w|app))|\bTold\b/,
    planted: "tellPaid(tx, id)",
  },
  {
    term: "room",
    use: "module",
    pattern: part("room", "rooms"),
    allowed:
      /Green ?Room|(Lantern|Lamp) Room|dressing room|(hotel|quiet|big|small|banquet|ball|living|waiting|concert|full|empty|whole|listening|private|function) ?rooms?|the room (is|was|sang|danced|went|fell)|room(s)? (of|for) \d|make room|room (for|to|left)/i,
    allowedIn: demoTexts,
    planted: "/** The other room's table. */",
  },
  {
    term: "door",
    use: "public index, endpoint or entry point",
    pattern: part("door", "doors"),
    allowed:
      /door ajar|doors? (at [a-z]+\.|open|time|deal|split|sale|money|opening)|stage door|stage-door|Stagedoor|another door behind|at the door|through the (venue's|stage) door/i,
    allowedIn: demoTexts,
    planted: "/** The door of the module. */",
  },
  {
    term: "floor",
    use: "platform, PlatformServices; minimum",
    pattern: part("floor"),
    allowed: /Math\.floor|dance ?floor|floor\((?!\{)/i,
    allowedIn: demoTexts,
    planted: "services: Floor",
  },
  {
    term: "house",
    use: "app, project, venue",
    pattern: part("house"),
    allowed:
      /house ?lights|full house|house (band|party|engineer|system|music|seats)|light ?house|play ?house|opera house|pictures-house|warehouse|Deep House|tech-house|house,? techno/i,
    allowedIn: new RegExp(`${demoTexts.source}|^src/artists/`),
    planted: "the house's own edge",
  },
  { term: "world for a test app", use: "testApp", pattern: /\bworld\(|\bWorld\b/, planted: "await world()" },
  {
    term: "stage for a harness",
    use: "harness, test app",
    pattern: /\b(open|bench|two|accounts)Stage\b|BenchStage|accounts-stage|bench\/stage/,
    planted: "openStage()",
  },
  {
    term: "judge",
    use: "architecture test, check",
    pattern: part("judge", "judges", "judged", "judging"),
    allowedIn: demoTexts,
    planted: "/** The import judge. */",
  },
  {
    term: "story for an e2e test",
    use: "e2e test",
    pattern: part("story", "stories"),
    allowed: /history|stories? (about|of) (the|a|an) (artist|band|night)/i,
    allowedIn: demoTexts,
    planted: "the stories in e2e",
  },
  {
    term: "ring for a test tier",
    use: "test tier",
    pattern: /\b(deep|quick|test|outer|inner) ring\b|\bring of tests\b/i,
    planted: "the deep ring",
  },
  {
    term: "Standing",
    use: "AuthenticatedSession",
    pattern: /\b\w*Standing\w*\b|\bstanding(Of|s)\b|\bstandings?-matrix\b|\bstanding\.ts/,
    allowed: /[Oo]utstanding|[Ss]tanding (room|ovation)/,
    planted: "type Standing = {}",
  },
  {
    term: "Asker, Doer, Deed, Whose",
    use: "Caller, Actor, command, AccountLookup",
    pattern: /\b\w*Askers?\b|\baskers?\b|\bDoers?\b|\bdoers?\b|\bDeeds?\b|\bdeeds?\b|\bWhose\b(?! )/,
    planted: "type Doer = {}",
  },
  {
    term: "wish",
    use: "input, request",
    pattern: part("wish", "wishes"),
    allowed: /wish(es)? to|who wish|user's wish|as you wish/i,
    planted: "isSameWish(a, b)",
  },
  {
    term: "proof of a person",
    use: "reauthentication",
    pattern: /requireFresh(Person|Proof)|\bproof\.ts|proofParams|\bfreshProof|\bProof\b|\bown proof\b/,
    planted: "requireFreshProof(call)",
  },
  {
    term: "known places",
    use: "known_networks, isKnownNetwork",
    pattern: /known_?places?|isOwnPlace|knownPlaces?/i,
    allowedIn: /old-market\.ts$/,
    planted: "isOwnPlace(x)",
  },
  {
    term: "claim of a date or artist",
    use: "date reservation, profile claim",
    pattern: /date_?claims?|date claims?|artist_claims|insertClaim\b|claim(From|To)\b|claims? (of|on) (the|a) date/i,
    allowedIn: /old-market\.ts$/,
    planted: 'insertInto("date_claims")',
  },
  {
    term: "holder",
    use: "booking-key, held by, lock owner",
    pattern: part("holder", "holders"),
    allowed: /placeholder|cardholder|stakeholder|account[ _]?holder|share ?holder/i,
    planted: 'access: "holder"',
  },
  {
    term: "kept for cached or retained money",
    use: "cached, cacheable, cancellationFee",
    pattern: /kept-answers|keptAnswers?|keptOnCancel|kept: true|kept answers?|isKept\b/i,
    planted: "keptOnCancel(x)",
  },
  {
    term: "fold, facts, put aside",
    use: "sync, provider state, unapplied payment",
    pattern:
      /\bfold(ed|s|ing)?\b|\b[a-z]*PutAside\b|\bput(s|ting)? aside\b|\b(provider|payment|refund|money|Payment|Refund|Provider)_?[Ff]acts?\b|\bfacts\.ts/,
    allowed: /case.?fold|fold(s|ed|ing)? (the )?case|above the fold|fold (of|in) the|unfold/i,
    allowedIn: new RegExp(`${demoTexts.source}|^src/artists/artwork/`),
    planted: "fold the fact into the payment",
  },
  {
    term: "desk",
    use: "provider dashboard, desktop",
    pattern: part("desk", "desks"),
    allowed: /mixing desk|front.?desk|desk ?top|sound desk|help ?desk/i,
    allowedIn: demoTexts,
    planted: "at the provider's desk",
  },
  {
    term: "reaction",
    use: "event handler",
    pattern: part("reaction", "reactions", "react to"),
    allowedIn: demoTexts,
    planted: "reactionsFor(services)",
  },
  { term: "nudge", use: "wake", pattern: /\bnudg(e|es|ed|ing)\b|\b\w+Nudge/, planted: "services.nudge()" },
  {
    term: "hint, ear",
    use: "notification, listener",
    pattern: /(?<![A-Za-z])[hH]ints?(?![a-z])|(?<![A-Za-z])ears?(?![a-z])|\bHint\b|\bEar\b/,
    allowed:
      /hint\??:|hint=|\.hint|styles\.hint|aria-|resource.?hint|priority.?hint|"hint"|early.?hints?|password hint|\{[^}]*\bhint\b[^}]*\}: Props|hintId|\{hint\}|by ear|client hints?|sec-ch|Hint\b.*(field|input)|webhook is a hint/i,
    allowedIn: new RegExp(`${demoTexts.source}|^src/web/(ui|public|account|auth|admin|artist|promoter)/`),
    planted: "a hint reaches every ear",
  },
  {
    term: "Pace",
    use: "intervals",
    pattern: /\bPaces?\b|\bpaces?\b/,
    allowedIn: demoTexts,
    planted: "const pace: Pace",
  },
  {
    term: "refusal, Refused, faultWords",
    use: "ApiError, error response, validation messages",
    pattern: /\b[Rr]efusals?\b|[rR]efusal[A-Z]\w*|\w+Refusals?\b|\bRefused\b|faultWords|[a-z]+FaultWords|sayFault/,
    planted: "refusalOf(answer)",
  },
  {
    term: "words.ts, saying, sentence",
    use: "format.ts, describe…, message",
    pattern: /\bwords\.ts|\bsaying\b|\bsayOwn\b|\bsay[A-Z]\w*|(?<![A-Za-z])[sS]entences?(?![a-z])|[a-z]Sentences?\b/,
    allowed: /A sentence is easier to remember|first sentences of a text/,
    allowedIn: demoTexts,
    planted: "sentenceFor(x)",
  },
  {
    term: "steady",
    use: "minimum response time",
    pattern: part("steady"),
    allowedIn: demoTexts,
    planted: "steady(200)",
  },
  {
    term: "seal, reseal",
    use: "encrypt, re-encrypt",
    pattern: /\b(re)?seal(s|ed|ing)?\b|\b(re)?seal[A-Z]\w*|\bunseal\w*|\b(Re)?[Ss]eal(ed)?\b/,
    // The label of the derived keys. Stored secrets cannot be read with another label.
    allowed:
      /OpenSSL EVP_seal|derive\(`seal |seals? (of|a) |sealed (cop|PDF|document)|seal-?contracts|Seals? signed|[sS]ealContracts?|[cC]ontract.?seal|contract\/sealing/,
    // The electronic seal on a signed contract, as the law and PAdES call it.
    allowedIn: new RegExp(
      `${demoTexts.source}|^src/(contracts|bookings/contract|web/admin/contracts)/|^bench/contracts[.]ts$|^src/platform/(config|seal-files)[.]ts$|^(CHANGELOG|docs/operate/(configure|keys|signing|watch|commands))[.]md$|^docs/decisions/0(098|220)-`,
    ),
    planted: "resealAccounts(tx)",
  },
  {
    term: "marks",
    use: "seed markers",
    allowedIn: /old-market\.ts$/,
    pattern: /insertInto\("marks"\)|selectFrom\("marks"\)|\bmarks:|"marks"/,
    planted: 'tx.insertInto("marks")',
  },
  {
    term: "pay-look, paper, Sitter, lapse, pane, lead-on, calls-in-turn",
    use: "styles, tone, PosterSubject, expire, section, after-sign-in, mutex",
    pattern:
      /pay-?[lL]ook|\bSitters?\b|\blaps(e|es|ed|ing)\b|\bLapse\w*|\w+Lapse\b|lapse[A-Z]\w*|\bpane(s)?\b|\bPane[A-Z]\w*|\bPane\b|lead-?on\b|leadOn|calls-in-turn|callsInTurn/,
    allowed: /window ?pane|time.?lapse/i,
    allowedIn: demoTexts,
    planted: "lapseUnpaid(tx)",
  },
  {
    term: "Frame, console.ts, machinery",
    use: "context, operator CLI, internal tables",
    pattern: /\bFrame\b|\w+Frame\b|\bmachinery\b|\bconsole\.ts|\b[Tt]he console\b|\bmachine\b/,
    allowed:
      /iframe|requestAnimationFrame|cancelAnimationFrame|AnimationFrame|keyframe|frame-ancestors|X-Frame|(state|this|the|every|each|another|busy|clean|quiet|frozen) machine\b|machine-readable|(on|of) a machine\b/i,
    allowedIn: new RegExp(`${demoTexts.source}|^src/artists/artwork/|^src/activity/(views|log\\.test)\\.ts$`),
    planted: "type Frame = {}",
  },
  {
    term: "history.ts, many.ts, make.ts",
    use: "seed-import.ts, load-test-data.ts, test/factories",
    pattern: /\b(history|many|make)\.ts\b|insert\w+History\b|manyArtists/,
    planted: "manyArtistsSql(1)",
  },
  {
    term: "metaphors",
    use: "plain words",
    pattern:
      /\b(the|a|this|one) roads?\b|\broad\.(test|spec)|\bwalk(s|ed)? the road\b|\blamps?\b|\bbones\b|\bsomebody who sits\b|\bturn and turn about\b|\bthe wire to the row\b/i,
    allowed:
      /lamp(light| black)|on the road|another lamp|quiet lamp|Lamp Room|lamp\.example|--lamp|lamp-|\.lamp|styles\.lamp|"lamp"/i,
    allowedIn: new RegExp(`${demoTexts.source}|^src/artists/artwork/|\\.css$|^docs/|tokens`),
    planted: "it walks the road",
  },
  {
    term: "unexplained, and columns named by what was asked",
    use: "unreconciled; needs_lookup, requested_at, request_params, lease_until, last_polled_at, captured_at, recorded_as",
    pattern: /unexplained|\b(look_up|asked_at|asked_with|asking_until|looked_at|taken_at|taken_as)\b/i,
    allowedIn: /^(CHANGELOG\.md$|docs\/decisions\/)|old-market\.ts$/,
    planted: "select asked_at from payments",
  },
];
