package perceive

import (
	"regexp"
	"sync"
)

// What pages say, in the languages that most of them are in. A word alone never
// makes a signal: see detect.go.

// vocabulary is a way to say something. It is compiled when it is first asked for:
// together they take two megabytes and two milliseconds, which whoever never
// observes a page need not pay.
type vocabulary func() *regexp.Regexp

func words(s string) vocabulary {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)` + s) })
}

// MatchString says whether a text has it.
func (v vocabulary) MatchString(text string) bool { return v().MatchString(text) }

// Cookie banners.
var (
	cookieWords = words(`cookie|クッキー|куки|kakor\b`)
	// consentWords speak of consent without the word cookie.
	consentWords = words(`\b(consent|gdpr|einwilligung|consentement|consentimiento|consenso|toestemming|tracking|vendors|trackers?)\b`)
	dataWords    = words(`privacy|personal(i[sz]ed)? (data|ads|content)|advertis|partners|datenschutz|données|datos|dati|gegevens`)
	// cookieClaim is how a banner begins, wherever it is on the page.
	cookieClaim = words(`\b(we|this (web)?site|our (web)?site|[\w.-]+) (and our partners )?(uses?|using|stores?|place) .{0,40}cookies|cookies? (help|allow|enable)s? us|by (continuing|using|browsing|clicking).{0,80}cookies|(wir|diese (web)?seite|diese website) (verwende[tn]|nutz(t|en|e)) .{0,30}cookies|(nous utilisons|ce site utilise) .{0,30}cookies|(utilizamos|usamos|este sitio (web )?(usa|utiliza)) .{0,30}cookies|(questo sito|utilizziamo|usiamo) .{0,30}cookie|(wij|we) gebruiken .{0,20}cookies|deze (web)?site gebruikt .{0,20}cookies`)

	rejectWords = words(`reject|declin|den(y|ie)|refus|disagree|disallow|no,? thanks|opt.?out|do not (accept|agree|allow|consent)|don.t (accept|agree|allow)|without accept|(only|just) (strictly )?(necessary|essential|required)|(necessary|essential|required)( cookies)? only|ablehn|verweiger|nur (notwendige|erforderliche|essenzielle|technisch)|rejeter|continuer sans|tout refuser|nécessaires uniquement|rechaz|denegar|s[oó]lo (las )?(necesarias|esenciales)|rifiut|nega tutti|solo (i )?necessari|weiger|afwijz|alleen (noodzakelijk|functione)|recus|rejeit|apenas (os )?(necess|essenc)|odrzu|tylko niezb|avvisa|neka|endast nödv|afvis|kun nødvendige|avslå|hylkää|odmítnout|отклон|отказ|только необходим|拒否|拒绝|仅(必要|接受必要)|거부|reddet`)
	acceptWords = words(`accept|agree|allow|consent|akzeptier|zustimm|einverstanden|erlauben|annehmen|j.accepte|autoriser|acept|permit|de acuerdo|accett|acconsent|consenti|akkoord|toestaan|aceit|concord|akceptuj|zgadzam|zezw[oó]l|godkänn|acceptera|tillåt|godta|tillat|tillad|hyväksy|přijmout|souhlas|принять|принимаю|соглас|разрешить|同意|承諾|許可|受け入れ|接受|允许|동의|수락|허용|kabul`)
	// weakAccept is a yes to anything: it takes more words beside it to count.
	weakAccept = words(`^\W*(ok(ay)?|got it!?|i understand|understood|that.s (ok|fine)|fine|yes,? .*|continue|close|dismiss|verstanden|alles klar|compris|entendido|ho capito|begrepen|entendi|rozumiem|понятно|хорошо|閉じる|知道了|확인)\W*$`)
	manage     = words(`manage|preferences|settings|customi[sz]e|options|choices|einstellung|anpassen|paramétr|personnalis|gérer|configur|preferencias|ajustes|personalizza|preferenze|instellingen|voorkeuren|prefer[eê]ncias|ustawienia|inställningar|настро|設定|设置|설정`)
)

// Modals.
var closeWords = words(`^\W*(close|dismiss|cancel|no,? thanks|not now|maybe later|skip|schließen|abbrechen|fermer|annuler|cerrar|cancelar|chiudi|annulla|sluiten|annuleren|fechar|zamknij|anuluj|stäng|luk|lukk|закрыть|отмена|閉じる|キャンセル|关闭|取消|닫기|취소|×|✕|✖|⨯|x)\b?.{0,24}$`)

// Errors.
var (
	// errorWords make an error of what is announced as an alert.
	errorWords = words(`error|fail|invalid|incorrect|\bwrong\b|denied|unable|cannot|can.t\b|couldn.t|could not|not (be )?(found|allowed|valid|available|possible|recogni[sz]ed|authori[sz]ed|permitted|loaded|saved|completed?|processed)|doesn.t match|do(es)? not match|expired|is required|are required|must (be|have|not|contain|match|enter|accept|select)|please (enter|provide|fill|select|choose|correct|try)|declined|unavailable|try again|problem|rejected|too (many|short|long|large|weak)|forbidden|timed out|no longer|offline|lost connection|fehler|ungültig|falsch|fehlgeschlagen|abgelaufen|erforderlich|konnte nicht|bitte (geben|füllen|wählen)|erreur|invalide|échou|incorrecte?|obligatoire|impossible|incorrect[oa]|inválid|fall[oó]\b|obligatori|errat|non valid|mislukt|ongeldig|inválid|falhou|błąd|nieprawid|fel\b|ogiltig|ошибка|невер|エラー|失敗|错误|失败|오류`)
	// fineWords are what is no error in spite of those.
	fineWords = words(`success|\bno (errors?|problems?|issues?)\b|\b0 (errors?|failed|failures|problems)\b|without (errors?|problems?)|(was|were|been|is|has) (saved|sent|updated|created|added|fixed|resolved|restored)|erfolgreich|enregistré|guardad[oa]|all systems`)
	// errorClaim is how a page says that something did not work, where nothing
	// announces it.
	errorClaim = words(`^\W*((error|fehler|erreur)( \d{3,})?( ?[:!–—-]|$)|(oops|whoops|uh.oh)\b|sorry[,.!]? (but |we |you |this |that |the |something|there |an? )|(we.re|we are) sorry,? (but |something|the |this |we )|(an? )?((unexpected|unknown|internal|server) )*error (has )?(occurred|happened)|something (went|has gone) wrong|there (was|has been) (an? )?(error|problem)|(we |the server |rove )?((can|could) ?n[o.]t|couldn.t|cannot|was unable to|are unable to|unable to|failed to) (load|connect|reach|save|sign|log ?(you )?in|process|open|complete|submit|fetch|retrieve|upload|verify|find (the|that|this) page|send|display)|(invalid|incorrect|wrong) (user ?name|e-?mail|password|login|credentials|code|card|pin|token|link|request|value|input|file)|the .{3,40} (you entered|provided|supplied) (is|was|are|were|does)|(your|the) (card|payment|transaction|order|request|upload|login|sign.?in|message|changes?|session|link) .{0,16}(declined|failed|rejected|expired|could not|couldn.t)|(login|log ?in|sign ?in|payment|upload|checkout|connection|request) (failed|rejected|timed out)|(your )?session (has )?(expired|timed out)|(access|permission) denied|(page|seite|página|pagina) (not found|nicht gefunden|no encontrada|non trovata)|page introuvable|this (page|site) (isn.t|is not|can.t be|doesn.t)|(http )?(error )?(4\d\d|5\d\d)( ?[:–—-])? ?(not found|forbidden|unauthori[sz]ed|bad request|internal server error|bad gateway|service unavailable|gateway time-?out|too many requests|error|page not found)|(http )?error (4\d\d|5\d\d)|(internal server error|bad gateway|service (temporarily )?unavailable|forbidden)$|leider |désolé|lo sentimos|algo salió mal|zugriff verweigert|accès refusé|acceso denegado|(ungültige|falsche)[rs]? |(identifiant|mot de passe).{0,24}incorrect|(usuario|contraseña).{0,24}incorrect)`)
	errorCode  = words(`^\W*(4\d\d|5\d\d)\W*$`)
)

// Waiting.
var (
	waitingWords = words(`^\W*(loading|please wait|just a (moment|second|sec)|one moment|hang (on|tight)|hold on|fetching|connecting|preparing|processing|searching|wird geladen|lade\b|lädt|bitte warten|einen moment|chargement|veuillez patienter|cargando|un momento|espere|caricamento|attendere|attendi|bezig met laden|even geduld|carregando|aguarde|ładowanie|proszę czekać|laddar|vänligen vänta|henter|indlæser|ladataan|načítání|загрузка|подождите|読み込み中|ロード中|お待ちください|加载中|正在加载|请稍候|로딩|불러오는|yükleniyor)`)
	// bareWaiting is that and nothing else.
	bareWaiting = words(`^\W*(loading|please wait|just a (moment|second|sec)|one moment( please)?|wird geladen|bitte warten|chargement( en cours)?|veuillez patienter|cargando|espere( por favor)?|caricamento( in corso)?|attendere|laden|even geduld( a\.?u\.?b\.?)?|carregando|aguarde|ładowanie|laddar|загрузка|подождите|読み込み中|ロード中|お待ちください|加载中|正在加载|请稍候|로딩 ?중|yükleniyor)\W*$`)
	ellipsis    = words(`(…|\.\.\.)\W*$`)
	busyButton  = words(`^\W*(\pL+ )?\pL+(ing|iere|chargement)\b.{0,24}(…|\.\.\.)\W*$`)
	spinnerName = words(`^\W*(loading|spinner|loader|please wait|wird geladen|chargement|cargando|caricamento|carregando|読み込み中|加载中)\b.{0,20}$`)
)

// Logins.
var (
	passwordWords = words(`pass ?(word|phrase|code)|passwor[dt]|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|lösenord|adgangskode|passord|salasana|heslo|пароль|密码|密碼|パスワード|비밀번호|parola|şifre`)
	// otherPassword is one that is being made or changed.
	otherPassword = words(`new|confirm|repeat|again|create|choose|re-?(enter|type)|neue|bestätig|wiederhol|nouveau|confirm|nueva|repit|nuova|nieuw|nova|повтор|新しい|新`)
	signIn        = words(`\b(sign|log)[ -]?(in|on)\b|\blogin\b|anmeld|einlogg|connexion|se connecter|s.identifier|iniciar sesi[oó]n|acceder|ingresar|inicia sesi|accedi|inlog|zaloguj|logga in|log ind|logg inn|kirjaudu|přihlásit|войти|вход|登录|登入|ログイン|로그인|giriş`)
	goOn          = words(`^\W*(continue|next|weiter|suivant|continuer|siguiente|continuar|avanti|volgende|dalej|submit|enter)\W*$`)
	// wallWords say that there is no more to see without an account.
	wallWords   = words(`((sign|log)[ -]?in|subscribe|register|sign up|create (an?|your)( free)? account|join( for free)?) (now )?(to|and) (continue|view|see|access|read|keep|unlock|watch|get|proceed|finish)|please (sign|log)[ -]?in|(you )?(must|need to|have to) (be (signed|logged) in|(sign|log)[ -]?in|register|subscribe)|(sign|log)[ -]?in (is )?required|members?[ -]only|for (members|subscribers) only|(subscribers|members) can read|bitte (melden|loggen) sie sich|melde dich an, um|(connectez-vous|identifiez-vous) pour|(inicia|iniciar) sesión para|accedi per|log in om|zaloguj się, aby`)
	signUpWords = words(`^\W*((sign|log)[ -]?(in|up|on)|login|register|create (an?|your)|join|subscribe|continue with|anmeld|registr|se connecter|s.inscrire|s.abonner|iniciar|suscr|accedi|abbonati|inlog)`)
)

// Captchas.
var (
	captchaName  = words(`captcha|turnstile|security (challenge|check)|not a robot|i.?a?m (a )?human|verify (that )?(you|i).{0,4} (are|am|re)? ?(a )?human|human verification|kein roboter|pas un robot|no soy un robot|non sono un robot|geen robot|não sou um rob|nie jestem robotem|не робот|ロボットではありません|我不是机器人|로봇이 아닙니다|press (and|&) hold|arkose|funcaptcha|characters (you see|shown|in the (image|picture))|(letters|text|code|characters) (from|in) the (image|picture)`)
	captchaClaim = words(`(verify|verifying|confirm|prove|check(ing)?|make sure) (that |if )?you(.re| are) (a )?(human|not a (ro)?bot)|checking (your browser|if the site connection is secure)|complete the (security check|captcha|challenge)|unusual traffic from your|enter the (characters|text|letters|code) (you see|shown|below|from the image|in the image)|select all (images|squares) with|press (and|&) hold to confirm|needs to review the security of your connection`)
)
