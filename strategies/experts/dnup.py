"""expert: learned from all_rounder by cardlab train.

`cardlab train dnup --players 4 --base 'all_rounder' --seed 1 --steps 2`; steps kept: 2, 400,000
decisions recorded.

On 10,000 fresh deals beside all_rounder its seats win together 40.1 (39.6–40.5) % with 1 of 4
seats, 61.8 (61.1–62.4) % with 2 of 4 seats, 81.8 (81.4–82.1) % with 3 of 4 seats (95 % intervals).
"""

from simcore.language import *
from strategies.learned import declared
from strategies.features.dnup import (
    best_of_others,
    cards_of_next,
    cards_of_victim,
    cards_then,
    fewest_of_others,
    goes_out,
    hand_count,
    kept_of_value,
    kind_and_size,
    kind_of_action,
    laps,
    largest_then,
    may_go_out_then,
    single_values,
    size_of_action,
    somebody_is_out,
    steps_to_owner,
    steps_to_victim,
    still_to_win,
    threat,
    value_of_action,
    values_if_turned,
    values_in_hand,
    values_saved,
    values_then,
)


LEARNED = declared(
    base='all_rounder',
    players=4,
    features={
        "ACTION": [
            (hand_count, "one of", 1, 16),
            (fewest_of_others, "one of", 1, 10),
            (cards_of_next, "one of", 0, 17),
            (somebody_is_out, "one of", 0, 2),
            (values_in_hand, "one of", 1, 9),
            (values_if_turned, "one of", 1, 9),
            (still_to_win, "one of", 1, 4),
            (best_of_others, "one of", 1, 4),
            (laps, "one of", 0, 31),
            (kind_of_action, "one of", 0, 4),
            (value_of_action, "one of", 0, 10),
            (size_of_action, "one of", 0, 8),
            (kind_and_size, "one of", 1, 31),
            (cards_then, "one of", 0, 21),
            (kept_of_value, "one of", -1, 8),
            (values_then, "one of", 0, 10),
            (values_saved, "one of", -6, 12),
            (goes_out, "one of", 0, 2),
            (may_go_out_then, "one of", 0, 2),
            (cards_of_victim, "one of", -1, 16),
            (steps_to_victim, "one of", -1, 5),
            (steps_to_owner, "one of", -1, 5),
            (threat, "real", 2.912, 0.2006),
            (largest_then, "one of", 0, 8),
            (single_values, "one of", 0, 10),
        ],
    },
    weights={
        "ACTION": """
4.85625e-05 4.69646e-06 5.58058e-06 ul?cWYZ>q_Oznmz)ASiD#OU)Rr3cU?pZmiR+!sgzzT$BWT^D)!whMy;+!{{~6ZTU
1?-fh^4g~-W6B&vO`Ty|qml%lz#1D?<PyZAFmJc%t_b7_nY7HL)&;}#_C<Isyf$ggTDEYMiH1k6O8yoEXyZJ8lj^mE~`~$i4SO((
%81`QWQU9|LVg{_*?do&&4gFK^dK-2EIRR$;Q~kgJt@mK*`wgiK4)^%WE%~z-iv~6Vs|2d^KmtJlTmxSQ-v4<5e*t|FxDSi=GyT{
HnEz<?%l!WN@b_&ARRwVzs{#@b1N6WAd;c@{Jq(8Sixu4Cpc|SS`Thb5sPXF-#RT&I3gL4F!tN*vC;{UAdIzWJ=;}}J7yOF*iW!C
Tul%O|{{M9L&;=3pkq5vRko^J@;O$u^j|Jfc5&oY4Zt~Cf^Z(=fYyUL`2KI&j@A$&y+V{Qree+NB82K^(MenNg@c~T(N9`I3Cif8
tc=nk2)(qS2!{!?Sd=B;Wn-G@%PVw>oDD*V;2>aXrr4Ccx#`;kHRsp8y(Dh67kN}hLFY*BKT=tFcWCimLvgHs8s_@J6rTfqyUj$V
M1^f;NYxS$w&Hs}Auo5@^O!h|$bMV;rssk4i)9}FzzUK=Fj{dg_;r|iwF!4+e`4a}|wd0cZ+5KhyzW`tS*$83-8`DDQee&P`BJNT
U1^aCEoelmFLiQX0HS3oJHur<?FZw9)8UZ2eBIvE?v;#&B%>^9ul?@mI;{GrLd<N|WC+XG%Z~k7^(f`%yJOHQahxKj%1@b`%WDr-
?jorB6;N;%-n-u&I!1wS0odAajs1OtKYTS_ZKhnPW((R}I8~K{~Mf2zL6Y=){Vf&jBz4JNg#68*L4<H!p$^5j{;1+@DOZ=SKn*&M
pz34Ie4iT0J1^#{NulBFp+yxs6(*7?Yr2={!%jY-g|Njx^{_D2uVc{x1I}7(O{P_Uw<_zlKgYJ>^=^|qWR`I#@GYm8OF!X{Ns0h9
EMjR;sfBVGea|vwl4D~O~;O_tc!2;XvwHA-%^%b=ELHwuUpa(iFatuxfCH-^$`wJZ$ujcgbllf}|oA{K|0P3Fd;|Tx&)C0HD)B3#
;nkCWs00000feQfo002k^0`%wTaR1x!wfg`7+wTAX$^`2MAqnON004yii~~sb!TJ&p8xd{@008CfCF%zh00000M*IK(GVR^%Dc(H
(Wc9`Yq34nL+W0c@g6&8KT^qFThyOJcZWxvUiv}I)H|#YBTNJ(<Ui3EuJ>>%wVg`r%E&#Ri007Vqh5DooY5m#+BL%|%nEsXhzWu%
f%l3WhH3{JaRRyd9nE_7xv=7Y%3k=HU^z(`A>-gmti}aZd=ow1>IQ0Mkyu;Yc;pS}Tp+kTadgLAc{~~<&BMjc`Ame&9+W92<g%gA
ZThNsFxaGg`DiXxiXYXhRANVc~v^YBd_wR!u=KlomH6XV8Q|S^OnF#z96a<9)-33MxlJE-lJt}SaAnhjc3J#v_@94(ws{ii(5Y}w
i0{F}Y)(DRbLH17!@A}FApXa0|@Aex6Tn<;>><;S#hwUNak`3Ab02J^RfDx?LFc}>7o&${kAPA)xeBX-ryWpbXiRE?vV(1$00SV2
@;Q#pH6aXmnmk$RBGwCDpTK)p|t^wlzul9lXa`KN6SqDH1KIC@;<q@nU-1tuC0P@BG#_;v?5B*E`jtuwdJKfO#;_NHqdi|&T=k+z
{=Ib!^(*;uqQTyu#hWq>G`uv{mkp)clJO{Z3RV!KbRQp#8o(a6@49r{p````yv-i#4?*D`MuFTH@E(JU63KqNrIQIPt!u;A0Bnj9
NS?L}6cNE?e9`+Fn$NKasgVsUe3k}N+c?>J}4gpXQWgyb*_wVfgpY=QP%>P;uzV<>9dGyx-uJ<JFhXPUqeDwY69tzPBUJRi4Yyw&
ik`GJ!xd7e>;QNQ&U>J1!tLQEUuj*vw=l?$eOa3PXHu$~pTKPNbALL{Mq4m5O$I>3}`X1r_qVX)|LiqF>E$}KALkcG+UJ9WCstcj
=GXrGz<ns6wMDXwb2M`PUqxe4+9{jE;{`FJ+Rr3b|ZwprgrQR9iKnvXgP9IVHj{vX<T><{^7w78?oEx3*T<`z?`13{H-vGno^Z(r
MV)Zcu;p`&umh{LUp#*RlZW3S<003(H^6~%xaSrtW007ke)&G<TZuZyQ5DowU0052vnGgT~iy>V0PX7P^GwY8LdG5Lea~)C%cMxg
$W(6bv1qUnb8|ca0_2>2fzW>7Z*7x}J8V3as1rfIOzv@-^=<(DHe+d{BV(rTb{r}$l2>V>t5%q){at{gU+yL7aGx?kLiQ!W1iw^?
liXeOp#PVeIwFp@XJo&K}uH0}02kN2a%mHI0p!*2#x*+}kU<D!zDDzV7J_TX_{0GkhUGoS7tM;Sw?fsqwi|^bCd*hzu_wn=e-~{C
DPzNO8%k|^;1nwjLp%exEi2qUZ?Emfjt`mv_4)XB*b?@fwar{sLMg^AzNcA!FJp#G?_XiRZc>56W&;Vo$a}>e{WCbDfOaBu0ME}A
ICkou#dIRVG>E%!dj{9N(QvGD*m-27?)%|h+>JZKS?f=yL=<Fg3e)&G|R{cc#qY6v>_0@~&)cfZVHS25oi1sV#gZw7}<o{XwiUQL
Bs0_vg6!rc9%KpRjXZQURe((_q(fkAHKl3^b4hAXlf&!Bjecu5b0{sW@FbXpDvi1G*+6gEHHT&=XF#3uRVeyCwtOoh-v-V!^g7pa
r^ZJbXPzsIsn+AU8s{@qn3kg~g*%e~s<pT%|N);CN-3TW5$?@v;Jp_6E<^MJZgzF*u2@;wFmf@l5Qs;~Logl~N$p;haYWchkhwTF
OHVC}?Di>}UAKC;8JNmT<SO5R&{r587K>y6=YvuO;B>BteZUcnzNBcMWl={i=m-tTw>h`1%xbHsagZozMSMI9;-w3Ar3Llr^S?Tc
$84el{iuq9df#)3e;q%f6&;N`3Yv|ha9|~{zYUsuZm+wIJ$^_i;PZIw4X7QOA$?n?#2@=5kP7Z_%Uh`Z5bp1F1n*5viXZM)w$M(A
scm%rtAtPe@#sM)0wh&_&Y8ig_HwIH8W&m{P01qkWmi&eApX@gUQt#vu$_T3J;UPW;i5vC_Od?AEr~GXRYYf37|Nol;NEOlysqI|
+mDTMF+4>~J>J9euGae)VVD}Lxe*c9GVexenwh6`kc<y}Zi2F+ZL-#r^gbR-G`~dD3vJe0OA`oZgVDO3ehWLH*TOzLR*!zR{z5gu
pQ5F;V=-qz%b^2-#gzMY;ISmsDDG6T?Mf}e3{Q6cTwhmJlh}j(l|NjLBZ4y8rui*s>76H%g3IUb@G!I(@UI|G1dF>DO*T`4=002D
pOx1S$gYzx%d)s0I%>rBu^B(;8`VV6cc@6*ohX?=w80@bDMg52i-SyuBoemfN008Oy008y=AMEYxFbBf`1^#jE4;2ObnDGDrw)Ox
3kqbrhxBvhEzyu%_001rTX$uDpt{t-g@(XU~!1a>asq_E<F!@9aZWjFLXbSKS000s9ll8&=PTxr%F!*K&005N=`W8S6$@mNZ^Zft
-=lVYe5dP!c*cyBGO#>ea0{n~bC-_tq^6B~nB=xWl8SB>$Q1SKzlK9yRO7Y<3>jnS-QU(9|I1b(gwFAib006WH{sBSy-Rr37W)eB
_<p{p~CjqSN`v|@F-6U5F@B9Y=<RrKPJo#eS?+Gv7sO*mmh3XXmruT~tN&mP20SOKNp6PxJ4$_mDV^o3L_1E_CoAJgIll5)ouK@v
odgNyw@d^d_juxfol`?}55FOY9PMib-swfX?ix;8n8R?Os_y1=CmA)Yz<3Shb&<k1g_v;An;}~fM=MQ$?G%S}3GW~J~%<>clXam6
zQ~vG{NdnpSu?6h;c<rGMt@)K0ODN#~!}KBHdlwQH733uSpa=5;I}`usbl~Rtm<4nb654JPa0=D()e1fOItu;_`UAT74+7fgD*GS
lo(3}hKnC0#-v2cBY2UR3<P;Y6D)DvtB=VmS1rjm>dFYe`!2DnVgamU7$_YU5>;**lN&N-()(Nl%cjBi2ZRm>)Qu8eLYXRW@TJ=8
##QQ+r7V|LT{s#-{eF;GU3;&TI0rhU~&Iwx5768Wa74GKzr^U<RlI`&JVGK|Jg!oSXwe~yrr|Ay#!2dM@8WPm|aO8jwMFFW8;q|5
Oy#5gmofys3jQ<H0iUm^r82fDLxA?{E78EBSAO$oD{tyNJ90+gnQv7H9n*HDZpYj*?+V>LUHVDxAg$1ADAoE}A(g4B-O94Fnrv54
4Degn`yX!^>&EmWb7#KbaT@rfl8QM=2m-If~NbXYe%l{Phj{AM)7`b&EChf!)#`iAp#sjwp7vn(t+25e##^-n+vHO|o3HP<+3Gr+
2i}W-I7VjPJT?k_9o&V13`|SSzng{sweCBTD+z1Q)+V$fN)BrCHM*vvxR|T8vne)sLYwKp`vji>r1pYq+dEztScJO5e1^k{C%<e(
~JPW(~{QprBdJjbowe<h&E&B2hf&WqRXZ0{0B^>|&A`QFxr`<FR003A1JNu6B3-|5=hxn-RaS_kxN)>eN?D;+w;{pKyrT%3kVFT6
n-vd7O+2ZH>qygm&85TwZZ#jJn2K=lHjngL~G6#(VAqU#~TpTXW2NtO7k304OFeIn|{Q8p^^8Z5)&+%96<`8HCApBqISpY2%lL&|
ZSn`nunFK%u{}j^y;qL|Z=m>@Cd-dTCW8!QKiRj1%cN5$VbOZ$oYz*N4Hvj$pAO4E|`UdvhF#aI~@B(}hqwx#xivYd~jsFPf(CZT
J@cfnoeC$)>b^S5n2oVqn==Gip!0vh&Iu$?n(Eq*sx(bTrGVPKM*~4=ZSpW(Fn-NOZDE(~moc-$dGRSNaPwXWD-vovBy$b!}sP=>
xt`E-uFaWOU?dr_>-SG1N$liJQ3kTxvu@2Pm_YXekn*oC7n)6TcckUVi_5VNWC<4_ASnclvHT`)9sMb;PZ4X!YQXJ>+nDhbzI`!-
Nz5lrSuNyx5dh7@Z`}kcb*yOnv81ZZV$NOOQ0_ztBqWa_d842v;t`4p3Oa0~wZxBNS=>cF5LFLTtPzNCMz3j>V_z8>puKHr`1r&@
4ozlPHrV=_0I`r2DAn)o2A_YDl%J5q6=jK=glm{jO@Cc|BF&$Snl^o#UtL~2gv-9o#=Kr1OYx=F^S^6OBAQ$QpO5V#C8x^wuj})r
yX6*_S%M=9j3kk5>84yAKp!X2$SQ?-GvFj`wH{?(J2LNvA5$OW}@GI6C0sPemQ2y-&Ei}aRv*(ufbN9vr3-c1^!wnqbzVaps#PWX
lF!Z$Gi}Y^-`zY7$m+=e!;{shEM*=hq|Nm3?bqqZ<8$3X%Zxd=KWez9zBjps}$P>2bWCsWBKq{R2;@B|aO&m&xw-vzu))>qD_!9>
LkKK^(k^n3BcPT;u{S?s&Ya!t&v%nAwHVVi3umULlvge)}z70+?P#o3nzYPZgH}f+9-wRbNVfeWV$TK<pQwZJBOaWpAyar+_rvF^
}BlED`tGj?$IpTijTiYl1e;sZI#q6FDv%H@Fe*-BFr1cy4jSUAI`S?WtsoR9v#_7!sogGQzJnh=q63wCi<NVzDN8YQySz-d;jo8H
6a{M_3UjEqR2MJ5SG2RC7U=v#IEdAaIgbM8eJ`3LC2kp7}_Zj~o7TAjg2jj@WdH*{PzwF=urU5|oMg~^?9{ivY+5kcJiuYy`5(R1
O!2%on&+P2?AN|_t@crQq6BmaHrtU@j;uJpjYwCyqzWD9`V*D`vCIn0aY49-mO!nF9%?H#Urw5VjO!qMccIsa9nDC4O#rtyn=j$f
oMh+kC4-o$QO#AW*5&A0T!0!|1NB@Nd6aIY^+4qRpp9{|i_xBwAPWQ|J=;ILic@b9uy!wI={t-bInFPci>-j+*`~<TMR0lo`jN`Z
gQUwMcKnTzOp7F@?C-0>HTQybR%>7U1!}Y5I&;_9C&H>f&2^gdV5AW#>UKha@wi8<l1?zU<00j2<TnBCZA@f1<67AH<|NjULsQ6X
%wH?v&1S5(BkOLL<xEGWH6Y-GrAmXzIWz+WuYYD3eC<FBMa`4OuWdvmcsR~U7N$ykd!}*p8<@4A7I1KFd0Tgc(yz=P*F#}u-qxm5
9GweqRmj8U?Dg|@?g8T6VbqT!-INPn<p6FonxB>POY47*%71g5f%jp#R)&FSj_3z~LCkR3DV&W3-8T}RfGYAg-)%Yy~)81?j3kOE
~zXEIg<^`kytMzQ?g#O3|unz<J9`(cOYxF4x&iKs#mE$G=C;|uwO8dIq|Jf!0HUU@w(gLg(<LZq3xbPzAy7jydv-uSNn-u~o0tcM
`{q&^v&)`D-%kmlpC-<-K;{VR}gba%d4gKc)h2*Fn5C9Jf?B_c38UQrl$`Ta=3l8e&t`l<sBMJWjc@ru4UHTL1uLH^eMhA=bga?Y
+X#ME_^#hFrjs9%t%>+~SGxFL6R|q-w4H|0lO6;T+)BiC9t=fvs#}6D7w)Q^(w((@;{O)o6gapn9GYC5S-R_V8<Nt#RVH05X65rh
uBLVvklm@^BfCoJSo#-G6j0(o=1@^1>%L2p_{|P1TH2Z)B+y2Sb`T@QH>;#q%D+8nBuL<b?b_H1S9`~r_D;X^UdH!ttOaze?1QK!
f2mGcN#`ibtLhxM)ni91EH1Epl9SqR)dgd(z-1$}wDGh=0!~E6_0RV#uuJ0=T-t(9i0tY1K`2%bczzD1h>E4z5JsE}Uz50(F-~`7
N#R6CNc<G1w)aNkdi}E@A0R*KU_Xv&MUJ?5LPT<?~B=UCtGA3#TU;W4N9sU;;YY$S?)Fbl^?gp9`%M#!U&;aD#zwL<Yq8l3k=l6>
wiw~#+(G)58$L4hh`~NKfH{P5GE%Hkp<py5#f$barLj%wQf9g{L<^M?akO7SZs2i6Dn(pcDl;;}-5C8P$q8W_*Y7W~2w;Lk`D=z>
5><tFrl>+1drVPXcGYcl@)ig#4rT}vWLHF(T=L5Ir!1&%8n(sRe4(=8eQ3B867T*RKS^DPyR`hB1IrUxd007?Wy5hdy9`A=EE%A)
u7VBFD{}QMAp7-b|mF(aExBuk?006@e#ru;06V<>B^8?1=Q3@~p(f1D=-T*cU)C2$k;s~$~1lU9j9vTG=ZSpM-`VjX9006!8Jn;7
XJ?Kvz$o&8S<>g5Bga3>3w(*4vx%~hD^z$hgB>F4<vE=L^001KO002r5CFZCKpV#>B$^O(6{O@uT1MvU=3HinS-{bcX008L$K_XB
OJ^>E~jtndb0006EX%RUA$p3f!O5^|lF!%rf8u45O-sJ!QALlLq8SgIX00000000~S003bdG4%idXzhsu3Gx5{!VLfb>GuEtQ3O8
u(DCsk1r!Do00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
00000000000000000000000000000000000000000000000000000000000000000000000a{BWUh6uRkEBQAMX$G+gSOfq70000
000000000000074PLI3~&wDkZ0yBPu-000C0EDn|a91Jn&`~Uy|iuqpr0tIpY+!Z$mg6cXKs}cJ5TlKsLx%toEV+GR;)D46WAM7R
cjRlnnNBn06-}-?CV*`Q=ss*F!y9Pu5HUJ;sp7$L0nf0Ou%>(cHq|<cui4XPqB;suMDEdSAmL4wlQ4#DL$mIC;*zbGpH|{#;6b6X
^-UD#}?E6<0O9SrzZ2Xk}=<{BiQvtm2^#u**z~F!jhx~>Ob>=qlT?se=Cid<W!u1sc-S4FUaOO-XQuJ!-ujl3gSn=lQ_td8a8v!o
d?kgPu*#S}fKlHfu&%@sJk_MUwqx{6}+TDcll=hSKALGUA0|IjLYzim)fCp~+7z~F8mDaKvO#qMnitaQ2I|eib6(tM<BkOk+^a$A
IP5$f-8yxipHuxC$QVw_aj^oGtq7qXFKmG^(zZK)=`1VKfQT}ZLFzF)aLH%6d?*C>Mei7pQ-xB!xL<Y+Nk>1)A$p{$-#PUHC3kA0
H-uevqhXAD(Wfc1GZto2fd>xY%vkkcuF81mSu-L%+9}Zmp6$E$suLZ>o>iy#9Obe3jG$cp*@CIH4)ad#M7z$kG_6a@gumrvcP4|E
Uj0iak<qZW3q!+&TVhpbsiww^NCIAlyA^|u1a1oRI0pUveq3)$8Lj~>VhXVNk+yoH@hV+#G|NI~mG5{I$$nn7m6A?ZJocb2}XZdL
d_x?E@kpn&erU--gp!9wOw*6iG753Kp02##v=M8}ViV3*|==KchD;2Q@f*JfD=l_NDtLSS8tNADOd;m@OYyye~t_33qM*d9j`2c<
Nv<XN4HwF&(Fa_lsv;~YB0tz+)RS4?tLhft(<OqQOeF-E6$N6XlPYe(H&;m^qF!}%jeg@zDaQ!#{4*Z1wiVZXY^aAM#n(ZhA4FUW
79`tn%;|)&#H2k&stO5GqY4rO5`UKPT(g_6yz3vbKC=a{+cKW#fsRxAkf&dc>ln49*xc@E)R34-n)d`y1WDQLUgASSj(E)uCNAox
ZXa4pHdH6mFocl2aw)}bkQVgT@@e0%Euk3j7%<Mw|P|mympZy*F+6JmBEdPrcW6jL}6aiHVO#8n3z41c*auf0he*D+;Dj3-X;rd+
hV+M``QT=2K>+f&-X!Pm%-2ndHTjV+j+Wa#Hk^gBI;~|KvHw#Dokq9*J&F)(5y%?|po%vP<iu4E|+77w|aN~UnH}#nA02V3gLh_^
x?)v%w)BNA{(E|hpJN{4xHviKXtm+&ka?zI!*8KY0Ch!6g#`1six9RR9qVHt=u?0B$0t?;lisKOXljgAZ^5GW$?*EGWZ2NKg8V<(
(B<Y(8tnIGniUp<dbNUM2>HDx6_ZWus_V~y8Z4B@QYVnft`4rCmeFU@v0s(#j+X%=TKJ3l@B=1b-;0nDT{SOoYF#w_fQ2M|MGVA3
7C+n~DIS)e>;~O^kfBEU`g7HD={0@8ouLox%Fb)n8j13d>F8{mrIRKvc1sRd{_7+wPa_g-DWDe*DZU3U<p9K^2xe1R0>)}My2Kdh
kX#jWsKKo<|b{q~7sTW5VnDWpOf&M1?Rp!6{?CgsM+y6rcIQ(@3Zv!_1E*XFnn)6H+ruTXJ{P#Wy%o*wk^%y}HpY>h*$PW$ydJl{
Jd;LoXOA~+hECXHe=l@F>ChV5?*BAc*0T0p**c)F94+L8H)DhP5dIhif9qKsv<Oss%Ne%!Gf9%cv01)RL4C~YYJrjNuFd&r@JN<?
KY5>*@n)4h7HS*2)9rp>`L+Bvww)5K?X8~aT?&4thY!KEXdghk{yc6^U`2~*(bmIyM&FzNv+6b}$R2cm8v;Y7A7!4f@*6jHB`|j}
Lp95J4MgArXVFK_0`33t0y!q@1Ng-+Zk?IQjeigO~Ee1v7004~mdhI4BsuCw0`SQ>Ki49W^M(8#4v?2EanjGT>KljM*-16%000ut
_z~BcF=kx;UKJb|j4e+n@vGRTHBL+AI@B_j7m<!YJwE<VkH2&!g&K=<ivk^EE@BdZtLmurKj^>*e5&qB<y9z4=p#aDG)c+X|8|th
ru=U;%*!I!|)&33cdGhuiLFvT#Q}SZ~6C1A?#RY2*RSG!)D)v1BT^~0N4(cofs}zLuKKAwnWDa=xssynPA|{*k#{7Q!mjG`X`|wR
5nhz!5yYBK4OaC(coceGLqY7pUeb0;sP3qL+!17c7zW2oVKL|bb%lDY{;2<jkGXmcscKOKu%lTy$NB<xY9Ti&yzZDGhlk=_sCH@2
SH1)Xsj{9K#OY8~!KJ!ZvPzGD?2o6UC(HBee(e{lYrSI1I@)*SibR26DcmlHclHVN;#Sq!$W+OuAL;@iKA=DunEbE2lJN9n{!vLD
%4j2CG5DcXYfB*>hGZ<L(Q~V(H^9S%7_XHmqZUE!sKL~^aZ1M5@C)j`jYwer^00000n*{&>yaVC)003SLF64FSFaH1l003|uhXej
CjtJWvhV1wjHV%Xd<^})&cM1Ri0suDuqYoGct{PYZJ^J$jzy*BYzzJs%b_F>2ob}`om;s+CZ24;Pq60Po?G~u>p8zQGxd~MfR3R4
!W%0@jGz!Q8+6IRA{Q3>tA?5D>00000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
00000000000000000000000000000000000000000000000000000000000000000000000000000000000000=i#6e!}5~tZvRs
iB>>X`bOWOUa|tW^w)Fe@mInsnC?KToV+5e_GxPxFXA@@w$`AbX1Q+-WrTnGnP0ZK#U;*9(asguTdE@!)cl#mj;rNB~EA!L|LKl1
%-vqe>9sT(2qu>(=JP_y+;0PiOBMh_rx(E*nsSe`^xYo-I*ybz&j`!8?vjuJEJN67D%L8Q<?+7pk0R|xF%<3%vo%ovM%@j`uQU?F
@g$Y9nzyCo1&I`NpEF#t$HUx(GXd_JK;Q(*#7#76a-RfNRBmArroEJs<+yFG^-1O82MD*VKmkL+}jtm<G5c?4o?F;z)LKe#l3+`_
Iat;v??)z34(D_pU2Jo5kz5n*}RSdESXWTUz{`Ktx+6Wu{5D>8<3+#9cv--mo67#+A(f}Cuf)!i;S?y^bAn4@x0qIu@QVD$fg#g(
7faPHN00uw&-V&+qnDkclObBWG8v$thIuefvJ@4i43;`|v{3JN^751zOEf4DX007DHVAtCRU=<kpb@CSd0000000000aR2}S-|qk
b004dm00000&Fnnyg8cvh1`z-N5BoIn007<^003YZ<L&?e006EA00000002|*cLe|d0000000000000000000000000000000000
00000000000000000000000000000000000000000000001nQ>rjQVW*8u)Y%AMO_dlOd1wiSB|6%Hb^hc?bRJasN^7(gcAR%K$3
_r~Lm5?(b;_h4XD3(CcUZC<{6PmH=rD=pLf_7xHBEMFP(Z%lEtvJ@p$C4hTjFzy2%+9rbDgkQeOusUDo^5)=y-0sF1|lLUGCIs{V
aC)tP;YVOPbZS_|ObPtCAz5_2IVDymgf%#+X%lQlr7V=x?{Q8Ik*&bB>@8*jTkoZX2OA9*#li;@<tM|ej8}gF}%HPib2L3<)<p`J
u*ZoNdEeUJ`L-CLGK@{}*x&inNPY7`ejNerNYX4~LkpGGO=pF+G?EXRXgYi-E_Xk7(OcbONEcw9wGZiERfe7{edKA0)81lseUh%K
|ehd@>%=GK{)ad^n!51R+&H&X35b2@$$pRz>avjbQycoLW!Urbtkjx1D@%$kG==^*7*zCjwH43a8SpdKd#RJm^6!T{G=Kxm!005)
sq6%H+4+41NQ5QS<jPNn!r1PKeK=JGSeHK$Cya}}b002QIKKX4F!2^B(6ZTd9003(1?)-!Y006Psa{2%Oj1m9<ism%*005)`dj$X
hSOx$9We1Z0jRdFktmd-!8vIxI005N|-svRam;{vq;~3fMNde^oOZJEKgtMIw==}2u;Qrtbc@q&OYU>6ImFR36efFmToe19wyZ3w
@n6rWj5+;rFE%odos0d2~&i5Js1tR<JNeRf+-~_uChyvR0LhRM%eggyfC-~PBN&wmeAMW7ik?(i_5ct;vcMT67nEe0tNZLjCOATQ
QdkcZ*nf(V6Mg9Z!DF@d2nB(f|Wdp?z_VHfxsN&5HX73{XXcN-&9swc}c=*=;0qlnrP!%2j<Oxp`0Uoppv;)8Uo+?WAUH%gFto}*
!Ed3GqtOwHc%;iN8Q2k}(yw+L$1@tiqw)`OhAo8d6%l1v~dg5yNW&a5JwHpre0Sou@a{$i;g%Iczd-0|jf%uH<GW}Zx_URb`s|WZ
9jrY|3t__{;u=xo4-Sy!1l<#H#dGWgg8~IiMVfX+A+yHO^kOLIx7Xmo~_7;KmhT~T0vi%hQ?GFRy816U;UIiNdee+52^X>Eux&`0
>VHDr-VgW$+YxyAuEdPM^loyit7y*m_&gmx*Itp$2wgP|?lMH>`ISK~-*B}Y<&-U31h5Jee+XXos91Cpy>Ge|WhWB~~cLieUy!Uk
flll|+c?O33gZ?1x=={X^#{FFi3Iw<m6Z+Esi2lCiBJ>^!Bo~ABmi8A3@%jz}G!Vb<cma0-7zB;`>HXsam;fXFQ2XTW(F)E7D+fj
U+Vp(-EaHk0?*7aL`tmOXuMBhkIueEfycm%QcI<8t?A}=N+yEH@ECi_q<_P@`012=D0t7wzS@Pl%zV8MI+wVvIO#fT&ND$NbJ@e)
ag$9KBy!n<7eD2cp1rT2eM+bx3`TCzEtMm*K{03PNS?d$>d;|Ijf#})kxda0IcLb09iu1wq@frIb8Qp9H-vAHuPxqwr2>&_*UJRY
=R{gCG#|It&xci&*TLWqV_4#T6mh?pcr0Nd)3iFEh#}Q-uj}k%tHtfa%#tk9=7wkO=_6hV8as#5|!QIRHjN~5;Z4KDo@&a`NH}F0
T&jYRd*afokN&p%N@Zy>Blmzk>edSLNJr_d$#Or_owe?fzo9$cmO!W*AjRzO@=?yjpPYvbzBK|)6l>T`A1`BHKKkPRS4;yX&A?i&
1!vgI7vKO)TZS`LTCHvqCAQ-LrrwQfi^91Yo_8yDvv-hL-%<$k6efFUWT_bMt5gU98s`;21|M$f13ILMy_4=a~;o6KJ_6aQfWEiO
sL<p1&lLH|RrUoYoCh=_!mh!L#js?E=Me(c-84%v}Y5ZONdj}%|U;SSN`U-sh3;&Jg3dd{ifep(JOA_hrQ4*HjWfH;p=pP#Jj{u|
_j{KwfyCqBtU>Dye!1sppuJNo5E%!4btoRi8FZ3VzJ^|V%I{0`VUH=IQ+xz4j{pZ@{pa=i}mjg-;o)Qoallf~Ct`>y$!|^T+TKzZ
-b{DGyL<|J($P1j|YW^Pqto>#K00099cMvQ6Bo=A*IQswq77(}r003w1Qy9nf^72vo9rOSI(*xM;nFIg;_2mEn9_}*rao}zPk^On
{3;-Pbu>b%7PyP4Yu<B$9T=IPo_8QdxrVs!C|MUO=lJcJ`002=4006G|vIqbG)D1}b008&+004RZv>2B3O$}=a9Pc><002u10000
0!2Brfp6dVr;SKWf004^`0064=00000NcaE%&=vv)004IXCMf^_<Ol!&f&>5n^8d~S4Ha+ndjtRg007Jl008V0krkZ%0062H*Y*G
a0000000000000000030*3km=L000000067}008y?)Al_W(f&mN002??IPB;Ddke4s#SVh`(jtulg9so5S>{U!zxa^?9`HQqeHGc
_lNW~c+W+wly7|8ZgXJ;)uLec+W)33-juGwzfB%2^vF*qVmE||?(Cu~vWdJAglOWvx@$umcu>4W>V(}~y1=z3oPZTxtp7!?dxded
p_~His<{LHz(&kns3H6-<kOPVme*~ie$r%XlNeo*G6y^&N&GBgm4h7T<K?fM{0tsahqWEtGCJ;OKiSz~oWA=Olm<-|JnE*ifXZ4B
tr2Oj@7U~!Z$uJx8S^&iFG7|790`#*7Nc6A=odDYMr~lIgB=!^x!2ciZ#2;$<gyeYtWC;)c+}JP$D-EXx$^8xilo>Vf@Dj8y2?F`
>z493dG9>8q*zO?SbooODu?7SEt`?j9fdgIxWeWiV(ga4suk4-YXAA%74kD5P)e3?Dvi>_9sQ1tP(IEXKI|ynBnF#U)K>9WUTo3>
N{_joea^fKjSo&Q4U-w4xB>hX-V(@J3wfcq*B=-XVdh>Gg94Yhq=KanC>--5B<^-zZf*2hb!T=}&odT)z001ivUhnzpsuryd>i3i
kaRg@=9{`37VEzCA7wd%DSr78~008CoOZNZ(00000005o}{S6NHLjmvt#K{jA001Bbz7#wQ^z(ZQ003J55&uf{yxIfu005u@007h
%`_y{_r4s-E000X78wLOXG3or`o9+$YHTkaq9_`5<qz13leF#0l4i#<mQ~ziEQ0CwSAtqApYY{B)R2euLzXuHU=n;_%feBr`f(d^
IC;b$`#S)A18u{+vffUIW+W|lP+2tM!GVCh<yab2?3k6RK1Oc|~121R*zyTrS6#lCHX8y?1vD=dcPzg%~6Bmlxf(Q)qV&e}3$nCl
a0v|0DDE!v$*dG2BLi<k<h4XOX1Q|^YeCw1E0`j{UhY^zRIRV)gIOgI3U-N_{0R-jjY4d*pW9UQ!$PCK`Q2hn;yaeqC6ZGT#y(1#
+=>>=ltpzs>!}{9)kqb=h*$~AE%LQ5gA{A5e@#E3_mKM1GFXNv3Rqm?!whL|46Y(|j4&L_w>E>haSNa+sG50DVc>ogq#0LEL!P=_
j3IBQux9<4*nE3Y&f&}{qRsxU>R{cQh%Kx(mBL2h_yXd(F>I6ac9~Qs+_5D`+Ujjh(a{yTS7TeecWcPjgA>mB%j`K$BEa!Ux=mgR
S%m*F)jQ*PYtm}gzmlE^+_YnX8xfDzb%k2^op95gz(EUT>4-RYhh7+Fn@b9AdL+riQeev(<8|MP_SOSCm#0!G}3jNmzB>Z3W{TbT
x+W;{c()6Pa3;Z1Lapvgo3=g#pmf+6wX61+X^xQw)A|V&p4GZQO{q;ft2<{9DVFelogaJwO7a;8V%iP2dW(<P}&<HL8906zsf)2I
%S>O94iS$+P;10IOlkBkekLh3(DjhHb)$ip8d=QujixIpA{rPwSxEJa075~}?i|$R@B<aQin(RLW-wo~8g8SF+aqZj!ef;G7tQxZ
Q=mOFJSn;V7HuJ;=G49VI?gxqaJO%Lp$?w}5p5e6u008j)Y!CSo!RCqWW8nY*Y5#Eb)C;iy002_`00000odf^?U-<?D005imc;Em
4*#H0lN*8m~eGO;;CI%|-^X{4g-2bN%LM1c|QwNp$$_pd#{PT_voeH`5<O^KwEeWVGdk;AFRN~_Kng(9|yz@Z&0046Itk??-><q6
9#`7Qc7}Wa>;RA3T-w1>TUHUl$^6(t<J@jTYKl}3=p$nl2)hJB|v>pxdQ~7rG!T$pLuGBg8BnlMWDH$jVCk$QuRrlW!3jfL>jvNg
S4EX)y*7UO5V*(=#UP49(J^VBCMgw;_h6a!Ou<|VDKN<wxS>$lGYYF@GWZujX2O0hW^#JAgIr9Px5gV&0Tm~rQZv9a17wonM)%q7
6+wBSmncndWlM{*xVig$jy8UGsLHaG`FaUW3JNi)9MJ3SpUK*zTgZXY77Y~aFuPDL(*Yq|49`Aty3j(A3Aoe#CxdGeqp6gfZ@ctj
%5c|~LqY*a!*z!#0N%)lIWzl^W{|Phk_3<|QeF?7kL+5$mIr-uDPyv<#sxS@Yg7w+}&Gba@cNFdl+Xp!M!vlB&7|luc{SwLbEIRn
{l^by2U=05Cy#1Z*y8jgSQ{iRWrsx6ccJ}TF{_6bz$_OtChv()7BJr3EVEg|9^Yq6CS`UE&Jtyz~qZsZ1E&Fc%O%hV^jpY^hx&to
;^$3{z@9F05qt$#0T?hL9*#4ya9}jo)X7@Yi)$s5T#OW*Tp6a|1<KxQlL=^Y;up<uaRqO{UIQAF^X70f3K@Rx&mL);tcJAZcXZ~s
&u@w&pI~jcL+TQ>GQoQ;1Hv{(&002e@6Bt?lIu|et0046&Nee~*A`<`r<LtQiiT9KZ0095p5d4enF8>q>Hs*Q?TM7dhv=X@Z004L
T?HPmvg85qb4-E4UEd#A2IT-)|<1DcZqRDs&sPm!jdK#el<_!P<001Bc5bo3e7Y}Cej^0QpO#uJ^000003l;boP4WN$000gf;06E
y003tZ006B30P=n7?g#(?=@0+_$nK^LI1B#$QUdz!9uockV*CR5x&!M2`QIq$(B7cu69gmh5cu%<(;FcQyW}qKuK)!1&g4Ymp9oD
3qv1XQl>@aAe)ib-007GNIrrb}RO?w2!TaaO%Mk7g5a?9j{Jbj(${F+^`0_&nSOHcqeCF%-Z2MLb8S=08qxLWpL+YydL*If45(fw
I#|I|<k}{3#5Ck;s6xMn680^OI_639de)Fx)4*Vhc;`bN=C+?l|O7ng6V)-HMoaz_o!0BBNqy1#-wfd<B?G(Jx83#N2Hu5Rf8w2b
QpZ`t(zuW;1ir%~hDFo39co&NB+w;^0vjm9>(F`Qp_7uYCLH489vGFnQ*Y`^Wlm%MqJNB3i_ZSHPTKA(7r}*9=jp=j!APxBe{vC|
~<N}-GW%6(TJ?n4oLi#52X8Er1Fc!1_xC$lp2l-R`FaPfI_virzoB!!1{~Q?S1ofT$V)C;F{|rw1r~9<^Zu}enSOsPO{|6t|MDK9
&Km-QlHs$&Ms{so2Rs(1gItLN^Z2Z{$Qv1dN!S-PIlMhH1)aNt&dHVAH2^8e~Z2e2|f$oI`N%IW;P5C7ciUY0qVE4`h-{lPY;QBl
RFZK`C76Q)y@968lrR+f8X6gO(2?;&|RRX{H?f<6x)A<Vnr3lgAx(<Q@*8DW~CJ24?VfYRbC=XZnBmxNdIu@4i$oGH*R|FvXG8c^
XVClpH`V;v9><jD$SnOvL-un6A><JGBWeBG2*(y2;A^M924hAI<O#6cc<?)dc#|KvXf$<mn3IeVHN$G6%Wb!WQ3iYYhLIB(jVhju
kn;De{y7mnSb^g!jjQo@L-T<cj3HGS@2nLiFL;Ji6boGPoUIlFk?G8}_9_=X)>hw|z?)z8nX$G7LHyM)-R0bR5Q3s3m_7_d)T<<0
qYZr|K#0j4Hmk#L>LlAlK;1^H-+~-0AzWf>M-v2-FjpCO1fCo|bNB$rC?h2R;_Wk+{QTC+zGYI?odkNhI_y2VcpbEnr<_^30q$oZ
Eg8?ukmk0(0l?-|OP#UZNkm1bWn+bvBsTxW3aSgxp_5|JPsP_Zoe*lO1<pPQZ*ZnQ*o%N#j=L=;O72x^x!sY1jpZX3AKlm!|1sqB
iAOAD@t`iFe%Ic8|`}fSr_WPXtPxX`nMC76a0{{>4()fZCZTD9GpZ0wK8tXn5YWLe6{0ZU{h50lb%i`++$|CdrMDr)*xDz+@kOWE
(fC>BHyc5F&lJ!~=Tlt{<&LCw2m+k%c+$8t)$PK{^AP@Ti;~WJ0cGw*J@&EzuVC}vc_xv37e*Y`;O$lZRX8}^<Ljni|VD}{x^#K+
MHre+S&>C?W>gEF61OM9`%K-oM&Fvfy^Zrox1^e6k90O+g^8#!BD*x&4N%4a1;n=kUQ|d7TDlk#~00000jv(+0Y42+KzX|mCA`Au
v{r08)cMLi6XeNIeYZ-t5k@P9_D)ANqr3U~2008X$008^$003DfiwT765&-}J00000v)%vz000000002>&*T6A#qR(B006xN004X
S`1}9>00000007+o0000000000002t<003nY8yC$G00000007_a004>m00000005{90058{0000000000003C=00000)figu`3wL
6000000089?00000006B8s09E300000n(qJr00000006`Ulk)%o&;bAd00000004Lk>HPoz00000006B9aq=YZU-PRAItCpEp%NM
Hj`$20VfY>vV)=UO=jl2Edk2E)k?DC9OZ0i<>fXlkp%L5SvHf5CT>0q_wfkQhFaH1l0000000000000000000000000000000000
0000000000000000000000000000000000000000000000)bsA%AOR@|PY*K^jr_g;ljW!l5$t30Eb*Z14Hww!#~pz7OBXNuvF>~
DGYGr#9R`j6N)4p=r2uXV3iGK969QHLKnwH)zz=&7KPjpCNdEQyO6<J|P4UtMO!sFB?F6psb_bUH^ZTIsN)uQ9I{a@K&f(1QZu9N
-mH@#Q;_kZvs{UN<+wk-k><`Wa>+>Z0z4C<s01d_7Tn!ohT?--d1Nav7!v_`>q4*K?WcR_>@d&v3?D&=V;_s*pxehe`;{T}q=j@9
S#{jY9VDT8{(+3y&f&=CRq6drh4*uKbnF+P%w(->nX%L|5BlAx0ardSY`sGLto%;Ix^80Y~a`tfl000000000000000000000000
00000000000000000000000000000000000000000000000000000000003|C=J)IWp8w$d83j)4A^8d4)d)Q6U;TIazwt5mr07B
zA`YPlQ}|Tr<od}2ixQLrKk9|@)dgttQQ%PEe)J0gfbd=Y;SIC*z7KWtIRH}%Ci0IEy&WI&3lInV`wFw^!4FmaZTx-zNcB7gkPap
rTm8Z54-F>-&i&`*yz!{^`u=?P-}TW1=>MAyyb-|$lK}Po)C0=_@%Od>hxM2UI{mH?J_35~g!8!Xzy+%B4;|hD=L5I&vjR%;Li2J
B>GGiei~0Q#`vhtSAPi0cj{SYNb02CJ!uY4|y9>bwQv^--qy#Sf>e^QMLj<7q&;g(x=NC#1`}|r5Mh$rUHS}i?RsJ^xI_?GS@cW4
ahwp|LT?4BUp6c5HdG=`b;|Tril@c`Raq+nTWfbxj-Vg@(zt~mr`tVH%2L`wnN(;{BSPDn}GVE&i^yTUB{{%h%xBDdlZVcWJ|Kk<
+m+M;l{`tN4nCNZgM*nFA>gmn)Vi6(zW&=j`k_s{i<?tBf+X43nQvdG?G2bEiH0XX1h!LdvZvmF}ZSi{6ivcnOc>$33R^{B}!1Nv
W4+I<R&Gnh|(DNtr9R4*5unt}Jp#?VrFaUP`v=9gM(h0izeeV4PbMG1SbNZwA*$s2@tOuPD_Y?FQ-2+YWqWWt0%I3TNoCTfwVEbe
BPYN^&q6Vwp<{lRR>;d`o$nE6$#uIAUO8<KHwGZS1gd1K4zX~|>a}&7`KM6bduJY6H)CTMabML4C>iyaiasQ7A!2st4juB1W`wM3
Qj{H*eweLL?Ce8*85ciP(rSm@cEB!n6#{hK<cp1CzTl4f0Bn8Is%Iz8m@bCi%ni7Z&s0HQvHw6Cx|NE8uJOcm#0tSKmv<o=s-~gT
kv=6=R>;vu@=jgKns^O#wNC6!D7Yw)XQU9UwTnV)5?j?^Q(d;B51_W0RbmG$%9_I`IXx*^!viG9-aP*iJ^6@y|4i9Jxasp@JqVnh
astaWIj}HI<;|M_M000dNsN?Ptgzn}07BeImj_@@Sir!TOtN+jT!1$3Q4gU$_c>i$gP6DR>D+tj12NJ671N1}$S>iGM?dr$ZBKWu
|CjFQat_1e-sR42N83{A}(gT(6s|S?<s^Tf%R{yW@w(lGS@BIw;qwyRJjRH~)JOYpdaSeR@J@`ZaU;}IZ&;=~`*yx)PPWp=YnhxF
%j{w{mtN)Se;{cEGK^Rc~1?wdJ-VELheD;Xt!20U};r5{VPXqD+SNGZU(**_xPyy)qXzADTJOxAm)BOSGI0dx?Tl0MDW$0`Fsrn}
ukMQC2O98w1s{3yEC<8_br|VGs77s%8%HK!piS<hl7Xg0-ZT$Y+&g%;Stpv;X^7QfnGz0+%efvx2QU4S2Ee)IK9`NxG*#{L4d<MY
c;`z|@-rH6F3k2N{aol1OH1(PP3jT)f<;~dpH}X&lMFZ^&FZzllu<Z-wg7<d+2lvtY+50)~)(^c3E&Z+fJl|ddY46M66#(1;w-BP
;#r-zqN$WHA%K+}}Z43tU90?Z&v<lY&pdeQNMfXMj7y)Sn?EE4E+~kWR?g8}>5%~}Cu@21YBKg-4T=`1)RpkocW&p4FI}{M~ZS~>
tG45RQGVP-Z*#hGf5a_xHfdN?k9Q-@)WELIQ*&AU4r{LNHbPp*AJpIh|68&fd?f`x6j0m3VdLyD3zXVGJg$HgD82$<du?KhpmiVd
e(DSSoBmQ0iL*oG58u@)3h7_my<mLMLAo3&kRse+j*Ac7NUL0T<Y61%G<oGo6lp%=is_TB~p#JL(Bnbcj^!!N(nJe7?BoqJuDGwd
`Cia>b)!Dk=stc6>001KV005#4QUU+~rWgPKEBm1m0015VYWE`S2K{sC)bu|j004*j?efSc{QiUW*ZMaF8vkPBZ2$=Y`Tk@C!V#(
fWD!IB4h!f8i4G0^BHyqac>VzWNgP}G_4a}E1o=q@xg~7zRVC-%FY_4$vB%o-W5L0c<uEa#CA<a1T*h|-d%Pjj8`YwqNclF#yx6n
BsGf-vh>7*S)7T#W`2AMKz}pD<FuL>KchCWV(e-`GI2RV!vbjS?#?@EwM_#1lxeM4Bl+?rD>$uqq%^$Gwm(phwRWSj87#8*HD<O;
(?gS<C&CZ)I#|0MWkEs
""",
    },
    record={'game': 'dnup',
     'players': 4,
     'options': {},
     'base': 'all_rounder',
     'against': [],
     'seed': 1,
     'decisions': 400000,
     'steps': [{'kept': True,
                'decisions': 200000,
                'gain': [0.0526, 0.0495, 0.0557],
                'explained': {'ACTION': 0.1299}},
               {'kept': True,
                'decisions': 400000,
                'gain': [0.0216, 0.0191, 0.0242],
                'explained': {'ACTION': 0.1229}}],
     'beside': 'all_rounder',
     'deals': 10000,
     'strength': {'1 of 4 seats': [0.4008, 0.3962, 0.4054],
                  '2 of 4 seats': [0.6176, 0.6111, 0.624],
                  '3 of 4 seats': [0.8176, 0.814, 0.8213]}},
)
