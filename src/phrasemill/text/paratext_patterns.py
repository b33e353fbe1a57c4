"""The words and patterns by which `paratext.py` finds text about the text, by what they find."""

import re
from functools import cache

from phrasemill.kernels.paratext import prefixes

# Most texts need few of the patterns, and to compile them all takes 20 ms.
compiled = cache(re.compile)

# Bylines, datelines, mails, credits, speakers, forms.

UPPER = "A-ZÀ-ÖØ-Þ"
NAME = rf"[{UPPER}][\w.'’-]*"
AGENCIES = (
    "AAP|AFP|AFX|ANI|ANSA|AP|Associated Press|BBC|Bloomberg|Business ?Wire|CNN|dpa|EFE|Globe ?Newswire|IANS|IPS|Kyodo"
    "|PA|PR ?Newswire|PTI|Reuters|RIA Novosti|TASS|UPI|Xinhua"
)
MONTHS = (
    "Jan(?:uary|\\.)?|Feb(?:ruary|\\.)?|Mar(?:ch|\\.)?|Apr(?:il|\\.)?|May|June?|July?|Aug(?:ust|\\.)?|Sept?(?:ember|\\.)?"
    "|Oct(?:ober|\\.)?|Nov(?:ember|\\.)?|Dec(?:ember|\\.)?"
)
DATE = rf"(?:{MONTHS})[ ]\d{{1,2}}|\d{{1,2}}\.?[ ](?:{MONTHS})"

AUTHORS = rf"{NAME}(?:[,;]?[ \t]+(?:{NAME}|and|by|de|van|von)){{1,9}}"
BYLINES = tuple(f"{before}{by} " for before in ("", "Posted ", "Words ", "Written ") for by in ("By", "by"))
BYLINE = rf"(?:(?:Posted|Words|Written)[ ])?[Bb]y[ \t]+{AUTHORS}"
CREDIT = (
    r"\(?(?:Additional\ |Medically\ )?"
    r"(?:Compiled|Edited|Editing|Photos?|Photographs?|Reporting|[Rr]eviewed|Text|Writing)\ by\ "
    rf"{AUTHORS}\)?$"
)
DATELINE = rf"""(?x)(?:
        (?P<place>[{UPPER}]{{2}}[{UPPER}.'’-]*(?:[ ][{UPPER}][{UPPER}.'’-]+){{0,3}}) | {NAME}(?:[ ]{NAME}){{0,3}}
    )?
    (?:,[ ]{NAME}(?:[ ]{NAME})?(?<!\d))??
    (?P<when>,?[ ](?:{DATE})(?:,?[ ]\d{{4}})?)?
    \s*[-–—]*\s*(?P<agency>(?i:\((?:{AGENCIES})\)|/(?:{AGENCIES})/))?
    \s*(?:[-–—_]{{1,2}})(?=\s)"""
HEADERS = frozenset(
    "an asunto attachments bcc betreff cc content-type data date datum de fecha from gesendet importance message-id"
    " mime-version objet oggetto para re received reply-to return-path sent subject to von à".split()
)
SUBJECTS = frozenset("asunto betreff objet oggetto re subject".split())
ENDS = frozenset("an de from para sent to von à".split())  # those who write and read; data sheets have none
# How letters and mails begin and end, in the languages of Europe. Closings of one common word need their comma.
CLOSINGS = frozenset(
    (
        "--|all the best|best,|best regards|best wishes|cheers,|cheers!|kind regards|kindest regards|love,|many thanks"
        "|many thanks in advance|regards|respectfully submitted|respectfully yours|sincerely|sincerely yours"
        "|thank you,|thank you.|thank you!|thank you for your help|thank you for your time|thank you in advance"
        "|thank you so much|thank you very much|thanks|thanks & regards|thanks a lot|thanks again|thanks and regards"
        "|thanks for your help|thanks in advance|thanks so much|thanks very much|warm regards|warmly,"
        "|with best regards|with best wishes|with kind regards|with many thanks|with thanks|yours,|yours faithfully"
        "|yours sincerely|yours truly"
        "|besten dank|beste grüsse|beste grüße|danke,|danke!|danke im voraus|freundliche gruesse|freundliche grüsse"
        "|freundliche grüße|grüße,|herzliche grüsse|herzliche grüße|herzlichen dank|hochachtungsvoll|lg|liebe grüsse"
        "|liebe grüße|mfg|mit besten grüßen|mit freundlichem gruß|mit freundlichen gruessen|mit freundlichen grüssen"
        "|mit freundlichen grüßen|schöne grüße|vielen dank|vielen dank im voraus|vielen dank und freundliche grüße"
        "|vielen dank und viele grüße|viele grüsse|viele grüße"
        "|amicalement|bien à toi|bien à vous|bien cordialement|bonne journée|cdlt|cordialement|d'avance merci"
        "|meilleures salutations|merci,|merci!|merci beaucoup|merci d'avance|merci d’avance|merci par avance"
        "|respectueusement|salutations distinguées|sincères salutations|très cordialement"
        "|atentamente|cordialmente|gracias,|gracias.|gracias de antemano|muchas gracias|saludos|saludos cordiales"
        "|un abrazo|un cordial saludo|un saludo"
        "|cordiali saluti|distinti saluti|grazie,|grazie.|grazie in anticipo|grazie mille|saluti|tanti saluti"
        "|un cordiale saluto|un saluto"
        "|abraços|atenciosamente|com os melhores cumprimentos|cumprimentos|melhores cumprimentos|muito obrigada"
        "|muito obrigado|obrigada,|obrigado,|um abraço"
        "|alvast bedankt|bedankt,|groeten,|hartelijke groet|hartelijke groeten|hoogachtend|met vriendelijke groet"
        "|met vriendelijke groeten|mvg|vriendelijke groet|vriendelijke groeten"
        "|dziękuję,|pozdrawiam|pozdrawiam serdecznie|z góry dziękuję|z poważaniem|z wyrazami szacunku"
        "|всего доброго|заранее благодарю|заранее спасибо|с наилучшими пожеланиями|с уважением|спасибо,"
        "|de bedste hilsner|med venlig hilsen|med vennlig hilsen|med vänlig hälsning|med vänliga hälsningar|mvh"
        "|på forhånd takk|tack på förhand|venlig hilsen|vennlig hilsen|vänliga hälsningar"
        "|kiitos etukäteen|parhain terveisin|terveisin|ystävällisin terveisin"
        "|předem děkuji|s pozdravem|s úctou|atentament|salutacions|saygılarımla"
    ).split("|")
)
GREETING = r"""(?!(?i:hello\ world))(?i:
    dear|good\ (?:afternoon|day|evening|morning)|greetings|hello|hey|hi
    | guten\ (?:abend|morgen|tag)|hallo|liebe[rs]?|moin|sehr\ geehrte[rs]? | bonjour|bonsoir|ch(?:er|ère)s?|salut
    | buen[oa]s\ (?:días|noches|tardes)|estimad[oa]s?|hola|querid[oa]s? | buongiorno|buonasera|egregi[oa]?|gentil[ei]
    | boa\ (?:noite|tarde)|bom\ dia|olá|prezad[oa]s? | beste|geachte|goede(?:middag|morgen|ndag)
    | dzień\ dobry|szanown[aei] | hei|hej|hyvä|kære|kjære | dobrý\ den
    | добр(?:ый\ день|ый\ вечер|ое\ утро)|здравствуйте|привет|уважаем(?:ая|ые|ый)
    )"""
# A line by itself that greets; without a comma, only where it greets nobody by name.
SALUTATION = rf"""(?x)(?!(?i:h[eiy]{{1,2}})$){GREETING}
    (?:(?:\ [^\s,.!?:]+){{0,5}}[,!:] | (?i:\ (?:all|again|both|everyone|folks|(?:dear\ )?(?:support|team)|sir|there
    |zusammen|à\ tous|a\ tod[oa]s|a\ tutti|allemaal)){{0,2}})$"""
# The same in a text without lines, before a sentence or words of somebody who writes for himself.
OPENING = rf"""(?x){GREETING}(?:\ [^\s,.!?:]+){{0,5}}[,!][ \t]+
    (?=[{UPPER}А-Я¡¿] | (?i:bitte|can|could|ich|is|j[’']|je|mein|meine|mi|my|nous|our|please|tengo|there|this|unser
    |unsere|we|wir|you|your)\b)"""
# Up to three closings at the end of such a text, and who signs.
CLOSING = "|".join(re.escape(one) + ("" if one[-1] in ",.!" else "[,.!]?") for one in sorted(CLOSINGS, reverse=True))
ENDING = rf"(?i:(?:{CLOSING})(?:[ \t]+|\s*\Z)){{1,3}}(?:[{UPPER}А-Я][^\n]{{0,59}})?\s*\Z"
NETWORKS = r"(?i:facebook|instagram|linkedin|pinterest|reddit|tiktok|twitter|whatsapp|youtube)"
# Lines that stand alone: salutations, credits, who was there, what a mail was sent from and quotes, a paper's history,
# links to share a page and to buy.
ALONE = rf"""{SALUTATION}
    | {CREDIT}
    | (?i:(?:members?\ |also\ )?(?:present|absent|(?:in\ )?attendance|attendees|apologies|regrets))(?:\ \([^()]*\))?:\s
    | (?:Sent\ from\ (?:my|Outlook|Mail)|Get\ Outlook\ for|Envoyé\ de\ mon|Enviado\ desde|Inviato\ da)\b
    | Von\ meinem\ \w+\ gesendet | On\ .+\ wrote:$ | --+\ ?(?:Original\ Message|Forwarded\ message)\ ?--+$
    | (?:Received|Revised|Accepted|Available\ online|Published\ online)\b.*\b(?:19|20)\d\d\b
    | (?i:(?:page\ )?last\ (?:edited|modified|reviewed|updated))\b.*\b(?:19|20)\d\d\b
    | (?i:follow|find|join|like|share|tweet)\b.{{0,40}}\b{NETWORKS}\b[^.]*$
    | {NETWORKS}(?:\s*[|·,/]?\s*(?:{NETWORKS}|(?i:copy\ link|e-?mail|print|share)))+$
    | (?i:add\ to\ (?:bag|basket|cart|wish\ ?list))\b.{{0,60}}$
    | (?i:read\ (?:also|more|next)|related\ (?:articles?|posts?|stories))\s*:
    """
# The first three letters of greetings, of closings and of what else ALONE matches, in small letters, so that few lines
# are compared with them; the kernel finds all lines that begin with a letter beyond ASCII.
GREETING_STARTS = (
    "bes boa bom bon bue buo che dea dob dzi egr est gea gen goe goo gre gut hal hei hej hel hey hi! hi, hi: hol hyv"
    " kjæ kær lie moi olá pre que sal seh sza доб здр при ува"
)
ALONE_STARTS = (
    "(ad (co (ed (me (ph (re (te (wr --- --f --o abs acc add als apo att ava com edi env fac fin fol get ins inv joi"
    " las lik lin med mem pag pho pin pub rea rec red reg rel rep rev sen sha tex tik twe twi von wha wri you"
)
GREETED = {*GREETING_STARTS.split(), "hi "}
CLOSED = tuple(CLOSINGS)
STARTS = {
    *ALONE_STARTS.split(),
    *GREETED,
    "-- ",
    "in ",
    "on ",
    "--,",
    "--.",
    "--!",
    *(f"{one}  "[:3] for one in CLOSED),
}
PREFIXES = prefixes(one for one in STARTS if one.isascii())
SENTENCE_END = r"[.!?…]['\"”’)\]]*$"
LABEL = rf"(?:^|(?<=[\n.?!…\"”’)\]]))[ \t]*(?P<label>(?:The )?{NAME}(?:[ ]{NAME}){{0,3}})(?:[ ]\([^()\n]*\))?\Z"
FORM_LABEL = rf"(?:[-*•·][ \t]*)?(?P<label>[{UPPER}][\w()/&'’-]*(?:[ ][\w()/&'’-]+){{0,3}})[ ]?:[ \t]+\S.{{0,40}}"
ROLES = frozenset(
    "a chair chairman chairperson grad host interviewer interviewee journalist moderator narrator operator phd"
    " presenter professor q question answer reporter speaker student the".split()
)

# Notices of rights, licences, cookies, confidentiality and newsletters; and identifiers such as ISBNs.

# Each notice and each identifier has one of these words.
TRIGGERS = frozenset(
    "addressee confidential cookie cookies copyright downloaded licence licenced license licensed newsletter permission"
    " privacy privileged recipient redistributed reserved unrestricted unsubscribe ©".split()
)
IDENTIFIERS = frozenset("arxiv doi isbn isbn-10 isbn-13 issn pmcid pmid".split())
NOTICED = TRIGGERS | IDENTIFIERS
TOPIC = r"(?i)cookie|copyright|creative commons|licen[cs]e|newsletter"
NOTICE = r"""(?xi)
    \b(?:all|some|no)\ rights\ reserved
    | (?:©|\(c\)|\bcopyright)\s*(?:©|\(c\))?\s*(?:(?:19|20)\d\d|by\b|the\ authors?\b) | (?:\A|\n)\s*©
    | \b(?:accept|allow|decline|manage|reject)\ (?:all\ |our\ |the\ )?cookies?\b
    | \bcookie\ (?:notice|policy|preferences|settings)\b
    | \b(?:app|page|service|site|we|website)\ (?:also\ |may\ )?uses?\ cookies\b
    | \b(?:agree|accept|consent)\ to\ (?:\w+\ )?use\ of\ cookies\b
    | \bopen[\s-]access\ (?:article|book|chapter|paper|work)\b[^.]{0,200}\b(?:distributed|licen[cs]ed?|terms|under)\b
    | \b(?:all|content|except|text|these|this|unless)\b[^.]{0,200}
      \b(?:available|distributed|licen[cs]ed|published|released)\ under\ (?:the\ terms\ of\ )?(?:an?\ |the\ )?
      (?:creative\ commons|cc[\s-]by)
    | \bunrestricted\ (?:non-?commercial\ )?use,\ distribution
    | \boriginal\ (?:work|authors?)\b[^.]{0,40}\b(?:is|are)\ (?:properly\ |appropriately\ )?(?:cited|credited)
    | \bpermission\ to\ (?:copy|make|reprint)\b[^.]{0,200}\b(?:copies|granted)\b
    | \bpermission\ is\ (?:hereby\ )?granted | \bpersonal\ use\ of\ this\ material\b
    | \bno\ part\ of\ this\ (?:\w+\ )?(?:book|document|publication|report|site|website|work)\b
    | \bmay\ not\ be\ (?:broadcast|copied|published|redistributed|reproduced)\b[^.]{0,200}
      \b(?:permission|redistributed)\b
    | \bdownloaded\ from\ (?:https?|www)\b
    | \b(?:subscribe\ to|sign\ up\ (?:for|to))\ (?:my|our|the)\ (?:\w+\ ){0,2}newsletter\b
    | (?-i:\bTo\ unsubscribe)\b | \bunsubscribe\ (?:at|by|here)\b
    | \bthis\ (?:communication|e-?mail|message)\b[^.]{0,200}\b(?:confidential|intended\ (?:only|solely)|privileged)\b
    | \bintended\ (?:only|solely)\ for\ (?:the\ )?(?:use\ of\ )?(?:the\ )?(?:named\ |intended\ )?(?:addressee|recipient)
    """
IDENTIFIER = (
    r"(?i)\b(?:ISBN(?:-1[03])?|ISSN|doi|arXiv|PMC?ID)\b:?\s*[\w./:()–-]*\d(?:[\w./:()–-]*\w)?(?:\s+\d[\dX–-]*)*"
)
# A sentence that is no more than the links of a page's footer.
LINK = r"(?i)(?:(?:cookies|privacy(?: notice| policy)?|terms(?: of (?:service|use))?)[ .|·&]*)+"

# Words that a text defines: the parties of a contract, and those who attended a meeting. Without these it has none.
DEFINING = (
    '"',
    "\N{LEFT DOUBLE QUOTATION MARK}",
    "(the ",
    "(hereinafter",
    "resent:",
    "resent (",
    "ttendees",
    "pologies",
    "ttendance",
)

QUOTES = '"\N{LEFT DOUBLE QUOTATION MARK}'
QUOTED = r'["“]([A-Z][a-z]+),?["”]'
ARTICLES = ("the ", "this ", " a ", " an ")
FOLLOWS = ("referred to as ", "together ", "together, ", "together as ", "collectively ", "collectively, ")
BRACKETED = r"\((?:hereinafter,? )?the ([A-Z][a-z]+)\)"
# A search for what begins with a line break is ten times as fast as one in the mode of many lines.
ATTENDANCE = (
    r"(?i)\n[ \t]*(?:members?\ |also\ )?(?:present|absent|(?:in\ )?attendance|attendees|apologies)[^:\n]{0,20}:(.*)"
)
MINUTES = r"resent(?::| \()|ttendees|pologies|ttendance"  # one of these is somewhere in them
FORENAME = r"[A-Z][a-z]+"
