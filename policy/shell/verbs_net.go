package shell

// netVerbs are the programs that talk to other machines.
var netVerbs = map[string]verb{
	"curl": curl, "curlie": curl,
	"wget": wget, "wget2": wget,
	"http": httpie, "https": httpie, "xh": httpie, "xhs": httpie, "httpie": httpie,
	"aria2c": aria, "axel": aria,
	"lynx": browser, "w3m": browser, "links": browser, "elinks": browser, "html2text": browser,
	"yt-dlp": downloader, "youtube-dl": downloader,

	"nc": netcat, "ncat": netcat, "netcat": netcat, "nc.openbsd": netcat, "nc.traditional": netcat,
	"socat": socat, "telnet": telnet,
	"dig": resolver, "nslookup": resolver, "host": resolver, "drill": resolver, "ping": resolver, "ping6": resolver,
	"kdig": resolver, "doggo": resolver, "dog": resolver, "traceroute": resolver, "whois": resolver, "getent": resolver,
	"resolvectl": asksResolver, "systemd-resolve": resolver, "adnshost": resolver, "mtr": resolver, "tracepath": resolver, "fping": resolver, "dnsx": resolver, "unbound-host": resolver, "delv": resolver,

	"ssh": secureShell, "autossh": secureShell, "mosh": secureShell, "ssh-copy-id": copyKey,
	"sftp": fileTransfer, "ftp": fileTransfer, "lftp": fileTransfer, "tftp": fileTransfer, "ncftpput": courier,
	"smbclient": shares, "finger": asksAfter, "nmap": scans,
	"rclone": cloneTree,
	"mail":   mailer, "mailx": mailer, "s-nail": mailer, "sendmail": mailer, "mutt": mailer, "neomutt": mailer,
	"msmtp": mailer, "swaks": mailer, "ssmtp": mailer, "sendemail": mailer,
	"telegram-send": courier, "slackcat": courier, "croc": courier, "wormhole": courier, "magic-wormhole": courier,
	"ffsend": courier, "transfer": courier, "transfer.sh": courier, "pastebinit": courier, "gist": courier,
	"ngrok": exposes, "cloudflared": exposes, "lt": exposes, "localtunnel": exposes, "bore": exposes,
	"serve": fileServer, "http-server": fileServer, "live-server": fileServer, "miniserve": fileServer, "caddy": fileServer, "httpd": fileServer, "webfsd": fileServer, "darkhttpd": fileServer, "updog": fileServer,
	"simple-http-server": fileServer, "dufs": fileServer, "sfz": fileServer, "static-server": fileServer, "twistd": fileServer, "twist": fileServer, "goshs": fileServer, "gohttpserver": fileServer, "local-web-server": fileServer,
	"logger": logs, "ipfs": sharedFiles, "kubo": sharedFiles, "hyp": sharedFiles, "onionshare": sharedFiles, "onionshare-cli": sharedFiles, "webtorrent": sharedFiles, "termbin": courier, "bashupload": courier, "wgetpaste": courier, "fpaste": courier, "gdrive": courier, "dropbox_uploader.sh": courier, "megaput": courier,
	"tailscale": exposes, "zrok": exposes, "serveo": exposes,
}
